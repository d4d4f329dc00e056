import { declaredFields } from '@outreach/http-api/fields';
import type { MailProvider } from '../../email-accounts/index.js';

/** @returns what is wrong with a mail provider that the extension `name` adds */
export function providerErrors(name: string, type: string, provider: MailProvider): string[] {
  const { inputs, events } = provider;
  const what = `the mail provider ${type}`;
  if (type !== name && !type.startsWith(`${name}_`)) return [`${what} must be ${name} or begin with ${name}_`];
  if (!inputs) return [`${what} has no inputs`];
  const declared = declaredFields(inputs(class {}));
  const secrets = provider.secrets.map(({ input }) => input);
  const used = [...secrets, ...provider.login, ...(events ? [events.key] : [])];
  return [
    ...[...declared]
      .filter((input) => !/^[a-z0-9_]{1,50}$/.test(input) || !input.startsWith(`${type}_`))
      .map((input) => `the input ${input} of ${what} must begin with ${type}_`),
    ...used.filter((input) => !declared.has(input)).map((input) => `${input} is not an input of ${what}`),
    ...(events && secrets.includes(events.key) ? [`${events.key} of ${what} cannot be a secret and a public key`] : []),
  ];
}
