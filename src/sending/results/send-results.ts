import { Injectable } from '@nestjs/common';
import { EnrollmentTransitions, insideSchedule, nextSlot } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { RecipientEffects } from './recipient-effects.js';
import { type Bounce, messagesEvent } from '../sending.events.js';
import { type ClaimedMessage, refund } from '../dispatch/claim.queries.js';
import type { StopReason } from '../dispatch/preflight.queries.js';
import {
  type AcceptedMessage,
  type CampaignTiming,
  endMessages,
  expireLease,
  lockTiming,
  type UpdatedMessage,
  postponeDue,
  requeueMessages,
} from './message-status.queries.js';

/** Why a message waits, as the API shows it, and until when. */
export interface Wait {
  readonly reason: string | null;
  readonly until: Sql;
}

const NO_WAIT: Wait = { reason: null, until: sql`now()` };

function campaignWait(campaign: CampaignTiming | undefined, now: Date): Wait {
  if (campaign?.status !== 'active') return { reason: 'paused', until: sql`'infinity'::timestamptz` };
  if (!campaign.schedule || insideSchedule(campaign.schedule, now)) return NO_WAIT;
  return { reason: 'outside_schedule', until: sql`${nextSlot(campaign.schedule, now)}` };
}

/** Writes down what became of messages: message, enrollment, account, contact and events in one transaction each. */
@Injectable()
export class SendResults {
  constructor(
    private readonly transitions: EnrollmentTransitions,
    private readonly effects: RecipientEffects,
    private readonly events: DomainEvents,
  ) {}

  /** The mail server has accepted these: their contacts move on to the next step. */
  sent(scope: WorkspaceScope, accepted: readonly AcceptedMessage[]): Promise<void> {
    return this.effects.ending(scope, (tx) =>
      this.effects.accepted(
        tx,
        accepted.map(({ id }) => id),
      ),
    );
  }

  /** To be tried again after some minutes. The day's quota gets it back until then. */
  async later(scope: WorkspaceScope, accountId: number, id: number, minutes: number): Promise<void> {
    const until = sql`now() + make_interval(mins => ${minutes})`;
    await this.release(scope, accountId, [id], { reason: 'temporary_failure', until });
  }

  /**
   * Puts a message back to wait as its campaign says. The campaign is looked at once more under a lock: one that was
   * started or rescheduled meanwhile has released its waiting messages already, and would not come back for this one.
   */
  waitForCampaign(scope: WorkspaceScope, accountId: number, message: ClaimedMessage): Promise<void> {
    return scope.transaction(async (tx) => {
      const campaign = await lockTiming(tx, message.campaign_id);
      await this.release(tx, accountId, [message.id], campaignWait(campaign, new Date()));
    });
  }

  /** Puts messages back unsent, to go out at once unless they have to wait, and refunds the account's day. */
  release(scope: WorkspaceScope, accountId: number, ids: readonly number[], wait: Wait = NO_WAIT): Promise<void> {
    return scope.transaction(async (tx) => {
      const updated = await requeueMessages(tx, ids, wait.reason, wait.until);
      await refund(tx, accountId, updated.length);
    });
  }

  /** Cut off where nobody knows whether the server has it: the campaign's `on_unknown` decides, at the next recovery. */
  async uncertain(scope: WorkspaceScope, id: number): Promise<void> {
    await expireLease(scope, id);
  }

  /** The account's server cannot be reached: a failed try for each message that is due from it. */
  unreachable(scope: WorkspaceScope, accountId: number, reason: string): Promise<void> {
    return this.effects.ending(scope, async (tx) => {
      const exhausted = await postponeDue(tx, accountId);
      return this.fail(tx, await endMessages(tx, exhausted, 'failed', reason), softBounce(reason));
    });
  }

  /** There is no way to send them. */
  failed(scope: WorkspaceScope, accountId: number, ids: readonly number[], reason: string): Promise<void> {
    return this.effects.ending(scope, async (tx) => {
      const updated = await endMessages(tx, ids, 'failed', reason);
      await refund(tx, accountId, updated.length);
      return this.transitions.fail(tx, enrollmentsOf(updated));
    });
  }

  /** Refused for good, for a reason that says nothing of the address. */
  undelivered(scope: WorkspaceScope, accountId: number, ids: readonly number[], bounce: Bounce): Promise<void> {
    return this.effects.ending(scope, async (tx) => {
      const updated = await endMessages(tx, ids, 'failed', bounce.message);
      await refund(tx, accountId, updated.length);
      return this.fail(tx, updated, bounce);
    });
  }

  /** Refused because the address is dead: nobody writes to it again. */
  bounced(scope: WorkspaceScope, accountId: number, message: ClaimedMessage, bounce: Bounce): Promise<void> {
    return this.effects.ending(scope, async (tx) => {
      const updated = await endMessages(tx, [message.id], 'bounced', bounce.message);
      if (updated.length === 0) return [];
      await refund(tx, accountId, updated.length);
      await this.effects.died(tx, [{ contact_id: message.contact_id, email: message.contact.email }]);
      return this.fail(tx, updated, bounce);
    });
  }

  /** The last look before the hand-over has found a reason to stop. */
  async stopped(scope: WorkspaceScope, accountId: number, message: ClaimedMessage, stop: StopReason): Promise<void> {
    const cancel = (reason: string, end: (tx: WorkspaceScope) => Promise<number[]>): Promise<void> =>
      this.effects.ending(scope, async (tx) => {
        const updated = await endMessages(tx, [message.id], 'cancelled', reason);
        await refund(tx, accountId, updated.length);
        return end(tx);
      });
    switch (stop) {
      case 'lost': // Another worker has it, or its owner took it away.
        return;
      case 'paused':
        return this.waitForCampaign(scope, accountId, message);
      case 'ended':
        return cancel('skipped', async () => []);
      case 'unsubscribed':
      case 'complained':
        return cancel('unsubscribed', (tx) =>
          this.transitions.unsubscribe(tx, sql`SELECT ${message.contact_id}::bigint`),
        );
      case 'bounced':
      case 'blacklisted':
        return cancel(stop, (tx) => this.transitions.fail(tx, [message.enrollment_id]));
      default:
        return stop satisfies never;
    }
  }

  /** @returns the campaigns in which enrollments have ended */
  private async fail(tx: WorkspaceScope, updated: readonly UpdatedMessage[], bounce: Bounce): Promise<number[]> {
    if (updated.length > 0)
      await this.events.publish(tx, 'email.bounced', { ...messagesEvent(idsOf(updated)), bounce });
    return this.transitions.fail(tx, enrollmentsOf(updated));
  }
}

const softBounce = (message: string): Bounce => ({ type: 'soft', code: null, message });
const enrollmentsOf = (updated: readonly UpdatedMessage[]): number[] => updated.map((message) => message.enrollment_id);
const idsOf = (updated: readonly UpdatedMessage[]): number[] => updated.map(({ id }) => id);
