import { AddressRefused, EgressPolicy, HostUnresolvable, resolvePublicHost } from '../platform/egress/index.js';
import type { FieldErrors } from '../platform/errors/index.js';
import type { InputCheck } from '../platform/http/index.js';
import { changeErrors, type ConnectionChange } from './change-errors.js';
import { EmailAccount } from './email-account.entity.js';

/** Returns an error if the mail server of a new account has no public address. */
export const newAccountErrors: InputCheck<{ readonly type: string; readonly smtp_host?: string }> = (
  { type, smtp_host },
  { context },
) => (type === 'smtp' ? hostErrors(smtp_host, context.inject(EgressPolicy)) : {});

/** Returns the errors of an update: those of {@link changeErrors}, and of a mail server without a public address. */
export const accountChangeErrors: InputCheck<ConnectionChange> = async (input, { context }) => {
  const stored = context.record(EmailAccount);
  if (!stored) throw new Error('An update of an email account needs @LoadRecord(EmailAccount).');
  return {
    ...changeErrors(stored, input),
    ...(await hostErrors(input.smtp_host, context.inject(EgressPolicy))),
  };
};

async function hostErrors(host: string | undefined, policy: EgressPolicy): Promise<FieldErrors> {
  if (host === undefined) return {};
  try {
    await resolvePublicHost(host, policy);
  } catch (error) {
    if (error instanceof AddressRefused) return { smtp_host: ['The host must be at a public address.'] };
    // A name without an address may get one later. Every connection resolves it again, and reports an error.
    if (!(error instanceof HostUnresolvable)) throw error;
  }
  return {};
}
