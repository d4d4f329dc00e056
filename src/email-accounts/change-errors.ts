import { normalizeHost } from '../platform/egress/index.js';
import type { FieldErrors } from '../platform/errors/index.js';
import type { EmailAccount, EmailAccountType, SmtpEncryption } from './email-account.entity.js';

/** The fields that decide to which server the password is sent, and how. */
const CONNECTION_FIELDS = ['smtp_host', 'smtp_port', 'smtp_username', 'smtp_encryption'] as const;

type ConnectionField = (typeof CONNECTION_FIELDS)[number];

type StoredConnection = Pick<EmailAccount, 'type' | ConnectionField>;

/** The fields of an update that {@link changeErrors} reads. */
export interface ConnectionChange {
  readonly type?: EmailAccountType | undefined;
  readonly smtp_host?: string | undefined;
  readonly smtp_port?: number | undefined;
  readonly smtp_username?: string | undefined;
  readonly smtp_encryption?: SmtpEncryption | undefined;
  readonly smtp_password?: string | undefined;
}

/**
 * Returns the errors of an update that depend on the stored account (API v1, "Email accounts"): the type cannot change,
 * and a stored password is not sent to another server than the one for which it was entered.
 */
export function changeErrors(stored: StoredConnection, dto: ConnectionChange): FieldErrors {
  const changed = stored.type === 'smtp' ? CONNECTION_FIELDS.filter((field) => isChange(field, stored, dto)) : [];
  return {
    ...(dto.type === undefined || dto.type === stored.type
      ? {}
      : { type: ['The type of an email account cannot change.'] }),
    ...(changed.length === 0 || dto.smtp_password !== undefined
      ? {}
      : { smtp_password: [`smtp_password is required because ${changed.join(' and ')} would change.`] }),
  };
}

function isChange(field: ConnectionField, stored: StoredConnection, dto: ConnectionChange): boolean {
  const value = dto[field];
  if (value === undefined || value === stored[field]) return false;
  if (field !== 'smtp_host' || dto.smtp_host === undefined) return true;
  return normalizeHost(dto.smtp_host) !== normalizeHost(stored.smtp_host ?? '');
}
