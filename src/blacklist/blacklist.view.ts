import { is, timestamp, view } from '../platform/http/index.js';
import { BLACKLIST_REASONS, type BlacklistEntry, type BlacklistReason } from './blacklist-entry.entity.js';

const reason = is.oneOf(BLACKLIST_REASONS);

export const blacklistEntryView = view(
  'BlacklistEntry',
  { id: is.id, email: is.string, reason, created_at: is.timestamp },
  (entry: BlacklistEntry) => ({
    id: entry.id,
    email: entry.email,
    reason: entry.reason,
    created_at: timestamp(entry.created_at),
  }),
);

const LABELS: Readonly<Record<BlacklistReason, string>> = {
  bounce: 'Hard bounce',
  complaint: 'Spam complaint',
  manual: 'Added manually',
  unsubscribe: 'Unsubscribed',
};

export const blacklistReasonView = view(
  'BlacklistReasonLabel',
  { value: reason, label: is.string },
  (value: BlacklistReason) => ({ value, label: LABELS[value] }),
);

/** The response to the addition of many addresses: the number of addresses by result. */
export const bulkCreated = is.shape('AddressesBlacklisted', { added: is.integer, skipped: is.integer });
/** The same for the removal of many addresses. */
export const bulkDeleted = is.shape('AddressesRemoved', { deleted: is.integer, not_found: is.integer });

/** Whether an address is blacklisted. `own` is the entry of the caller's workspace. */
export interface BlacklistCheck {
  readonly email: string;
  readonly is_blacklisted: boolean;
  readonly own: BlacklistEntry | undefined;
}

export const blacklistCheckView = view(
  'BlacklistCheck',
  {
    email: is.string,
    is_blacklisted: is.boolean,
    reason: is.nullable(reason),
    blacklisted_at: is.nullable(is.timestamp),
  },
  ({ email, is_blacklisted, own }: BlacklistCheck) => ({
    email,
    is_blacklisted,
    reason: own?.reason ?? null,
    blacklisted_at: timestamp(own?.created_at ?? null),
  }),
);
