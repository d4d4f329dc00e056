import { AddressRefused, EgressPolicy, HostUnresolvable, resolvePublicHost } from '../platform/egress/index.js';
import type { FieldErrors } from '../platform/errors/index.js';
import type { InputCheck } from '../platform/http/index.js';
import { changeErrors, type ConnectionChange } from './change-errors.js';
import { EmailAccount } from './email-account.entity.js';

/** The mail servers of an account. */
interface Hosts {
  readonly smtp_host?: string | undefined;
  readonly imap_host?: string | null | undefined;
}

type NewConnection = Hosts & { readonly type: string };

/** Returns an error for each mail server of a new account that has no public address. */
export const newAccountErrors: InputCheck<NewConnection> = (input, { context }) =>
  input.type === 'smtp' ? hostErrors(input, context.inject(EgressPolicy)) : {};

/** Returns the errors of an update: those of {@link changeErrors}, and of a mail server without a public address. */
export const accountChangeErrors: InputCheck<ConnectionChange> = async (input, { context }) => {
  const stored = context.record(EmailAccount);
  if (!stored) throw new Error('An update of an email account needs @LoadRecord(EmailAccount).');
  return {
    ...changeErrors(stored, input),
    ...(await hostErrors(input, context.inject(EgressPolicy))),
  };
};

async function hostErrors(hosts: Hosts, policy: EgressPolicy): Promise<FieldErrors> {
  const errors = (['smtp_host', 'imap_host'] as const).map((field) => hostError(field, hosts[field], policy));
  const [smtp, imap] = await Promise.all(errors);
  return { ...smtp, ...imap };
}

async function hostError(field: string, host: string | null | undefined, policy: EgressPolicy): Promise<FieldErrors> {
  if (host === undefined || host === null) return {};
  try {
    await resolvePublicHost(host, policy);
  } catch (error) {
    if (error instanceof AddressRefused) return { [field]: ['The host must be at a public address.'] };
    // A name without an address may get one later. Every connection resolves it again, and reports an error.
    if (!(error instanceof HostUnresolvable)) throw error;
  }
  return {};
}
