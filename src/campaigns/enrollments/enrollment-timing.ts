import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Campaign } from '../campaign/campaign.entity.js';
import type { Enrollment } from './enrollment.entity.js';

/** When the next message of an enrollment can be sent, of what is known now. */
export interface NextSend {
  /** Null if nothing is sent, or if something has to change first. */
  readonly next_send_at: Date | null;
  /** Why it is not sent sooner, a `WaitReason` of the module `sending`; null if only its delay is the reason. */
  readonly waiting_for: string | null;
}

/** What enrollments have for which nothing is sent. */
export const NOTHING_TO_SEND: NextSend = { next_send_at: null, waiting_for: null };

/** Computes when next messages are sent. Implemented by the module `sending`, which knows the queue and all limits. */
export abstract class EnrollmentTiming {
  /**
   * Returns the next messages of enrollments of a campaign by ID, with a fixed number of statements. Enrollments for
   * which nothing is sent may be left out.
   */
  abstract find(
    scope: WorkspaceScope,
    campaign: Campaign,
    enrollments: readonly Enrollment[],
  ): Promise<ReadonlyMap<number, NextSend>>;
}
