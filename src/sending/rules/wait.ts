import type { EarliestInstant } from '@outreach/time-windows';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** Why a queued message waits, as the API shows it, and until when. */
export interface Wait {
  readonly reason: string | null;
  readonly until: (scope: WorkspaceScope) => Sql;
  /** The attempt that the preflight check has counted says nothing about the message, and does not count. */
  readonly refundsAttempt?: boolean;
  /** It waits because its provider could not be used: it is due as soon as the provider can be. */
  readonly isForProvider?: boolean;
}

export interface WaitingMessage {
  readonly campaign_id: number;
  readonly contact_id: number;
  readonly step_id: number | null;
}

/** The message is due now. */
export const NO_WAIT: Wait = { reason: null, until: (scope) => scope.now };

/** Returns the wait until an instant; without end if that is not known. */
export function waitOf({ at, reason }: EarliestInstant): Wait {
  return reason === null ? NO_WAIT : { reason, until: () => (at ? sql`${at}` : sql`'infinity'::timestamptz`) };
}
