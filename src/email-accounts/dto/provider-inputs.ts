import { ValidateIf } from 'class-validator';
import { type InputClass, OptionalField } from '@outreach/http-api/fields';
import { IgnoredIf } from '@outreach/http-api/validation';
import type { ConnectionChange } from '../change-errors.js';
import { type DkimInput, dkimInputs } from '../dkim/index.js';
import { EmailAccount } from '../email-account.entity.js';
import type { EmailAccountType } from '../providers/provider-names.js';
import { ACCOUNT_TYPES, inputsOf, PROVIDERS } from '../providers/providers.js';

/** The types of accounts that are created with inputs. The others are connected by OAuth (API v1, "Email account"). */
export const CREATABLE_TYPES = ACCOUNT_TYPES.filter((type) => PROVIDERS[type].inputs);

/** Returns the message for a type of which no account is created. */
export function typeRule(value: unknown): string {
  const connected = ACCOUNT_TYPES.find((type) => type === value);
  return connected
    ? `An account of the type ${connected} is connected by OAuth: use POST /v1/email-accounts/oauth/${connected}`
    : 'type must be one of the following values: $constraint1';
}

/** Adds the inputs of all providers and of DKIM to a class. Those of other types than that of the account are ignored. */
export const withNewInputs = <T extends object>(base: new () => T): new () => T & DkimInput =>
  withInputs<T & DkimInput>(base, (type) => [ValidateIf((account: { type?: unknown }) => account.type === type)]);

/**
 * Adds the same inputs to the class of an update: without defaults, because each is optional. Those of other types than that of
 * the stored account are ignored, whatever their values are (API v1, "Email accounts").
 */
export function withChangedInputs<T extends object>(base: new () => T): new () => T & ConnectionChange {
  const rulesOf = (type: EmailAccountType) => [
    OptionalField(),
    IgnoredIf((context) => context.record(EmailAccount)?.type !== type),
  ];
  const inputs: InputClass = withInputs(base, rulesOf);
  class ChangedInputs extends inputs {
    constructor() {
      super();
      for (const type of CREATABLE_TYPES)
        for (const name of inputsOf(PROVIDERS[type])) Reflect.set(this, name, undefined);
    }
  }
  return ChangedInputs as new () => T & ConnectionChange;
}

function withInputs<T extends object>(
  base: InputClass,
  rulesOf: (type: EmailAccountType) => readonly PropertyDecorator[],
): new () => T {
  const inputs = CREATABLE_TYPES.reduce<InputClass>((before, type) => {
    const added = PROVIDERS[type].inputs?.(before) ?? before;
    for (const name of inputsOf(PROVIDERS[type]))
      for (const rule of rulesOf(type)) rule(added.prototype as object, name);
    return added;
  }, base);
  return dkimInputs(inputs) as new () => T;
}
