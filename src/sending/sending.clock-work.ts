import { Injectable } from '@nestjs/common';
import { ANY_ACCOUNT } from '../campaigns/index.js';
import { type Sql, sql } from '../platform/database/index.js';
import { type ClockWork, GoesByClock } from '../platform/queue/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { accountsWithDueMessages, isCampaignDue, isDueOf, isDueOfAny } from './due-work.cross-tenant.js';
import { hasCapacity, isInRotation } from './planning/capacity.queries.js';
import { blockedUntil, isBlocked, nextPlannings } from './rules/index.js';

/** When the steps and the messages of a workspace are due. */
@Injectable()
export class SendingClockWork {
  /**
   * Steps that are due wait for the queue of their account if it is full. They may stay for another reason, too: what another
   * transaction has locked is taken later.
   */
  @GoesByClock()
  async planning(scope: WorkspaceScope): Promise<ClockWork> {
    return {
      isPending: sql`EXISTS (${this.plannable(scope)})`,
      mayStay: true,
      next: sql`SELECT min(next.at) FROM campaigns campaign CROSS JOIN LATERAL (
          SELECT first.due_at AS at FROM (
            SELECT account.id FROM email_accounts account WHERE account.workspace_id = ${scope}
            UNION ALL SELECT ${ANY_ACCOUNT}::bigint) sender
          CROSS JOIN LATERAL (
            SELECT due.due_at FROM due_steps due
            WHERE due.workspace_id = ${scope} AND due.campaign_id = campaign.id AND due.email_account_id = sender.id
              AND due.due_at > ${scope.now} AND isfinite(due.due_at)
            ORDER BY due.due_at LIMIT 1) first
          ${await nextPlannings(scope)}
        ) next WHERE campaign.workspace_id = ${scope} AND campaign.status = 'active'`,
    };
  }

  @GoesByClock()
  dispatch(scope: WorkspaceScope): ClockWork {
    const { isPending, isDelayed, delays } = this.sending(scope);
    const messages = sql`SELECT message.next_attempt_at AS at FROM queued_messages message
      WHERE message.workspace_id = ${scope} AND message.email_account_id = account.id`;
    return {
      isPending: sql`(${isPending}) AND NOT ${isDelayed}`,
      next: sql`SELECT least((SELECT min(delay.ends_at) ${delays} AND delay.ends_at > ${scope.now}), min(next.at))
        FROM email_accounts account CROSS JOIN LATERAL (
          (${messages} AND message.status = 'queued' AND message.lease_until IS NULL
             AND message.next_attempt_at > ${scope.now} AND isfinite(message.next_attempt_at)
           ORDER BY message.next_attempt_at LIMIT 1)
          UNION ALL
          SELECT ${blockedUntil} WHERE ${isBlocked(scope.now)} AND EXISTS (${messages})
        ) next WHERE account.workspace_id = ${scope}`,
    };
  }

  /** While the simulated mail server delays a reply, the messages behind it wait for a connection: its clock has to go on. */
  @GoesByClock()
  delayedDispatch(scope: WorkspaceScope): ClockWork {
    const { isPending, isDelayed } = this.sending(scope);
    return {
      isPending: sql`(${isPending}) AND ${isDelayed}`,
      mayStay: true,
      progress: sql`coalesce((SELECT max(delay.id) FROM sandbox_delays delay WHERE delay.workspace_id = ${scope}), 0)
        + coalesce((SELECT max(message.id) FROM sandbox_messages message WHERE message.workspace_id = ${scope}), 0)`,
    };
  }

  /** Due campaigns with an account that can take more messages, for steps that it would send. */
  private plannable(scope: WorkspaceScope): Sql {
    const owner = sql`${scope}`;
    const isDue = sql`${isDueOf(scope.now, sql`due.email_account_id = account.id`, owner)}
      OR ${isInRotation(scope)} AND ${isDueOfAny(scope.now, owner)}`;
    return sql`SELECT 1 FROM campaigns campaign JOIN email_accounts account ON account.workspace_id = ${scope}
      WHERE campaign.workspace_id = ${scope} AND ${isCampaignDue(scope.inTime, owner)}
        AND (${isDue}) AND ${hasCapacity(scope)}`;
  }

  /** What is due or being sent, except messages whose replies are delayed, and whether there are such messages. */
  private sending(scope: WorkspaceScope): { isPending: Sql; isDelayed: Sql; delays: Sql } {
    const delays = sql`FROM sandbox_delays delay WHERE delay.workspace_id = ${scope}`;
    const isDelayed = sql`EXISTS (SELECT 1 ${delays} AND delay.ends_at > ${scope.now})`;
    const isPending = sql`EXISTS (${accountsWithDueMessages(scope.inTime)}) OR EXISTS (
      SELECT 1 FROM message_claims claim CROSS JOIN unnest(claim.message_ids) AS listed (id)
      JOIN queued_messages message ON message.workspace_id = ${scope} AND message.id = listed.id
      WHERE claim.workspace_id = ${scope} AND message.lease_until IS NOT NULL AND NOT EXISTS (
        SELECT 1 ${delays} AND delay.message_id = message.message_id AND delay.ends_at > ${scope.now}))`;
    return { isPending, isDelayed, delays };
  }
}
