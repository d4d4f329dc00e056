import { is, timestamp, view } from '@outreach/http-api/responses';
import { BLACKLIST_REASONS, type BlacklistEntry, type BlacklistReason } from './blacklist-entry.entity.js';

const reason = is.oneOf(BLACKLIST_REASONS);

export const blacklistEntryView = view('BlacklistEntry', {
  id: is.id,
  /**
   * The address, in lower case. Of a person whose data was erased it is `hmac-sha256:` and a keyed hash, which blocks the
   * address without containing it.
   */
  email: is.string,
  /** Why the address is on the blacklist. */
  reason,
  created_at: is.timestamp,
});

const LABELS: Readonly<Record<BlacklistReason, string>> = {
  bounce: 'Hard bounce',
  complaint: 'Spam complaint',
  manual: 'Added manually',
  unsubscribe: 'Unsubscribed',
};

export const blacklistReasonView = view(
  'BlacklistReasonLabel',
  {
    /** The value of `reason`. */
    value: reason,
    /** A name for people. */
    label: is.string,
  },
  (value: BlacklistReason) => ({ value, label: LABELS[value] }),
);

/** The response to the addition of many addresses: the number of addresses by result. */
export const bulkCreated = is.shape('AddressesBlacklisted', {
  /** How many addresses were added. */
  added: is.integer,
  /** How many the workspace had added before, or named twice. */
  skipped: is.integer,
});
/** The same for the removal of many addresses. */
export const bulkDeleted = is.shape('AddressesRemoved', {
  /** How many entries were removed. */
  deleted: is.integer,
  /** How many addresses the workspace had not added. */
  not_found: is.integer,
});

/** Whether an address is blacklisted. `own` is the entry of the caller's workspace. */
export interface BlacklistCheck {
  readonly email: string;
  readonly is_blacklisted: boolean;
  readonly own: BlacklistEntry | undefined;
}

export const blacklistCheckView = view(
  'BlacklistCheck',
  {
    /** The address, in lower case. */
    email: is.string,
    /** Whether any workspace has blacklisted it, so that nothing is sent to it. */
    is_blacklisted: is.boolean,
    /** Why your workspace has added it; null if it has not. */
    reason: is.nullable(reason),
    /** When your workspace has added it; null if it has not. */
    blacklisted_at: is.nullable(is.timestamp),
  },
  ({ own }: BlacklistCheck) => ({
    reason: own?.reason ?? null,
    blacklisted_at: timestamp(own?.created_at ?? null),
  }),
);
