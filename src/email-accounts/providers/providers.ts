import { declaredFields } from '@outreach/http-api/fields';
import { loadedExtensions } from '../../platform/extensions/index.js';
import { google } from './google/provider.js';
import { microsoft } from './microsoft/provider.js';
import type { MailProvider, OauthParts } from './provider.js';
import type { ProviderEvents, ReceivedForm } from './provider-events.js';
import type { EmailAccountType, OauthProvider } from './provider-names.js';
import { sendgrid } from './sendgrid/provider.js';
import { smtp } from './smtp/provider.js';

const OF_SERVICE: Readonly<Record<EmailAccountType, MailProvider>> = { smtp, sendgrid, google, microsoft };

/** All providers, by the type of their accounts: those of the service, and those of extension modules. */
export const PROVIDERS: typeof OF_SERVICE = { ...OF_SERVICE, ...ofExtensions() };

/** @throws Error if one has the type of another provider */
function ofExtensions(): Readonly<Record<string, MailProvider>> {
  const added = loadedExtensions().flatMap(({ mailProviders }) => Object.entries(mailProviders ?? {}));
  const taken = added.find(([type]) => type in OF_SERVICE);
  if (taken) throw new Error(`The service has a mail provider ${taken[0]} already`);
  return Object.fromEntries(added);
}

/** The types of accounts. */
export const ACCOUNT_TYPES = Object.keys(PROVIDERS) as readonly EmailAccountType[];

/** A provider that reports by events. */
export interface EventProvider {
  /** The type of its accounts. */
  readonly type: EmailAccountType;
  /** What messages for people call it. */
  readonly name: string;
  readonly events: ProviderEvents;
}

export const EVENT_PROVIDERS: readonly EventProvider[] = ACCOUNT_TYPES.flatMap((type) => {
  const { name, events } = PROVIDERS[type];
  return events ? [{ type, name, events }] : [];
});

/** Returns the events of a provider; undefined if it has none, or there is no such provider. */
export const eventsOf = (type: string): ProviderEvents | undefined =>
  EVENT_PROVIDERS.find((provider) => provider.type === type)?.events;

/** A form in which a provider posts the mails that it receives. */
export interface ProviderForm extends ReceivedForm {
  /** What messages for people call the provider. */
  readonly provider: string;
}

export const RECEIVED_FORMS: readonly ProviderForm[] = Object.values(PROVIDERS).flatMap((provider) =>
  provider.received_form ? [{ ...provider.received_form, provider: provider.name }] : [],
);

/** The column in which a secret input is stored encrypted. */
export const columnOf = (secret: string): string => `${secret}_encrypted`;

/** Returns the provider of an account's mail server: the host name of the server says it, or the type of the account. */
export const serverOf = ({
  type,
  smtp_host: host,
}: {
  readonly type: EmailAccountType;
  readonly smtp_host: string | null;
}): MailProvider => Object.values(PROVIDERS).find(({ servers }) => servers?.test(host ?? '')) ?? PROVIDERS[type];

const inputNames = new WeakMap<MailProvider, ReadonlySet<string>>();

export function inputsOf(provider: MailProvider): ReadonlySet<string> {
  const names = inputNames.get(provider) ?? declaredFields(provider.inputs?.(class {}) ?? class {});
  inputNames.set(provider, names);
  return names;
}

/** Returns the columns in which the inputs of a provider are stored. */
export const inputColumnsOf = (provider: MailProvider, inputs: Iterable<string> = inputsOf(provider)): string[] =>
  [...inputs].map((name) => (provider.secrets.some(({ input }) => input === name) ? columnOf(name) : name));

/** Whether accounts of a type have an input; false for a type that does not exist. */
export function hasInput(type: unknown, input: string): boolean {
  const provider = new Map<unknown, MailProvider>(Object.entries(PROVIDERS)).get(type);
  return provider !== undefined && inputsOf(provider).has(input);
}

export function oauthOf(type: OauthProvider): OauthParts {
  const { oauth, name } = PROVIDERS[type];
  if (!oauth) throw new Error(`${name} has no OAuth.`);
  return oauth;
}
