import { normalizeHost } from '@outreach/egress';
import type { FieldErrors } from '@outreach/http-errors';
import { dkimErrors, type DkimInput } from './dkim/index.js';
import type { EmailAccount } from './email-account.entity.js';
import { hasInput, PROVIDERS } from './providers/providers.js';

/** The fields that decide to which server the password is sent, and how. */
const CONNECTION_FIELDS = ['smtp_host', 'smtp_port', 'smtp_username', 'smtp_encryption'] as const;

/** The same fields for the IMAP server. */
const IMAP_FIELDS = ['imap_host', 'imap_port', 'imap_username', 'imap_encryption'] as const;

type ConnectionField = (typeof CONNECTION_FIELDS)[number] | (typeof IMAP_FIELDS)[number];

type StoredConnection = Pick<EmailAccount, 'type' | 'from_email' | 'dkim_domain' | ConnectionField>;

/** The fields of an update that {@link changeErrors} reads. */
export type ConnectionChange = DkimInput & {
  readonly [Field in 'type' | 'from_email' | ConnectionField]?: EmailAccount[Field] | undefined;
} & { readonly [Password in 'smtp_password' | 'imap_password']?: string | null | undefined };

/**
 * Returns the errors of an update that depend on the stored account (API v1, "Email accounts"): the type cannot change,
 * a stored password is not sent to another server than the one for which it was entered, and DKIM is complete.
 * @param isRefused whether the form of a field is wrong, so that it is missing in the input
 */
export function changeErrors(
  stored: StoredConnection,
  dto: ConnectionChange,
  isRefused?: (field: string) => boolean,
): FieldErrors {
  const changed = CONNECTION_FIELDS.filter((field) => isChange(field, stored, dto));
  return {
    ...(dto.type === undefined || dto.type === stored.type
      ? {}
      : { type: ['The type of an email account cannot change.'] }),
    ...(changed.length === 0 || dto.smtp_password !== undefined
      ? {}
      : { smtp_password: [`smtp_password is required because ${changed.join(' and ')} would change.`] }),
    ...imapErrors(stored, dto),
    ...dkimErrors({ ...stored, provider: PROVIDERS[stored.type] }, dto, isRefused),
  };
}

/** Returns the fields of the IMAP server that an update changes; none if the mailbox is not read any more. */
export function changedImapFields(stored: StoredConnection, dto: ConnectionChange): readonly ConnectionField[] {
  const host = dto.imap_host === undefined ? stored.imap_host : dto.imap_host;
  if (host === null) return [];
  return IMAP_FIELDS.filter((field) => isChange(field, stored, dto));
}

/** The password of SMTP is another secret than the one that was entered for the IMAP server. */
function imapErrors(stored: StoredConnection, dto: ConnectionChange): FieldErrors {
  if (dto.smtp_password !== undefined || !hasInput(stored.type, 'smtp_password')) return {};
  const changed = changedImapFields(stored, dto);
  const host = dto.imap_host === undefined ? stored.imap_host : dto.imap_host;
  if (dto.imap_password === null && host !== null)
    return { smtp_password: ['smtp_password is required because it would be sent to the IMAP server.'] };
  if (changed.length === 0 || dto.imap_password !== undefined) return {};
  return { imap_password: [`imap_password is required because ${changed.join(' and ')} would change.`] };
}

function isChange(field: ConnectionField, stored: StoredConnection, dto: ConnectionChange): boolean {
  const value = dto[field];
  if (value === undefined || value === stored[field] || !hasInput(stored.type, field)) return false;
  if (field !== 'smtp_host' && field !== 'imap_host') return true;
  return normalizeHost(dto[field] ?? '') !== normalizeHost(stored[field] ?? '');
}
