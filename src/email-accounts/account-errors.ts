import { AddressRefused, EgressPolicy, HostUnresolvable, resolvePublicHost } from '@outreach/egress';
import { canSign, DKIM_KEY_RULE } from '@outreach/mail-writing';
import type { FieldErrors } from '@outreach/http-errors';
import type { InputCheck } from '@outreach/http-api/validation';
import { changeErrors, type ConnectionChange } from './change-errors.js';
import { dkimErrors, type DkimInput } from './dkim/index.js';
import { EmailAccount } from './email-account.entity.js';
import type { EmailAccountType } from './providers/provider-names.js';
import { hasInput, PROVIDERS } from './providers/providers.js';

type Hosts = Pick<ConnectionChange, 'smtp_host' | 'imap_host'>;

type NewAccount = Hosts & DkimInput & { readonly type: EmailAccountType; readonly from_email: string };

/** Returns an error for each mail server of a new account that has no public address, and the errors of DKIM. */
export const newAccountErrors: InputCheck<NewAccount> = async (input, { context, isRefused }) => {
  const { type, from_email } = input;
  if (type === undefined) return {};
  return {
    ...(await keyErrors(input)),
    ...dkimErrors({ provider: PROVIDERS[type], from_email, dkim_domain: null }, input, isRefused),
    ...(hasInput(type, 'smtp_host') ? await hostErrors(input, context.inject(EgressPolicy)) : {}),
  };
};

/** Returns the errors of an update: those of {@link changeErrors}, and of a mail server without a public address. */
export const accountChangeErrors: InputCheck<ConnectionChange> = async (input, { context, isRefused }) => {
  const stored = context.record(EmailAccount);
  if (!stored) throw new Error('An update of an email account needs @LoadRecord(EmailAccount).');
  return {
    ...(await keyErrors(input)),
    ...changeErrors(stored, input, isRefused),
    ...(await hostErrors(input, context.inject(EgressPolicy))),
  };
};

/** A key whose numbers contradict one another signs nothing. */
async function keyErrors({ dkim_private_key: key }: DkimInput): Promise<FieldErrors> {
  if (typeof key !== 'string' || (await canSign(key))) return {};
  return { dkim_private_key: [`dkim_private_key ${DKIM_KEY_RULE}, whose numbers belong together.`] };
}

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
    if (error instanceof AddressRefused) return { [field]: [`The host must be at a public address. ${policy.wayOut}`] };
    // A name without an address may get one later. Every connection resolves it again, and reports an error.
    if (!(error instanceof HostUnresolvable)) throw error;
  }
  return {};
}
