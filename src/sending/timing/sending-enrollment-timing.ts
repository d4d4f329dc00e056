import { Injectable } from '@nestjs/common';
import { type Enrollment, EnrollmentTiming, type NextSend } from '../../campaigns/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { nextSend } from './next-send.js';
import { senderFacts, type WaitingRow, waitingRows } from './next-sends.queries.js';

/** Reads what decides, in two statements for a page, and none for enrollments that have ended. */
@Injectable()
export class SendingEnrollmentTiming extends EnrollmentTiming {
  override async find(
    scope: WorkspaceScope,
    campaignId: number,
    enrollments: readonly Enrollment[],
  ): Promise<ReadonlyMap<number, NextSend>> {
    const running = enrollments.filter(({ status }) => status === 'pending' || status === 'in_progress');
    if (running.length === 0) return new Map();
    const rows = await waitingRows(
      scope,
      campaignId,
      running.map(({ id }) => id),
    );
    const [campaign] = rows;
    if (!campaign) return new Map();
    const accountIds = rows.flatMap(({ email_account_id: id }) => id ?? []);
    const senders = campaign.status === 'active' ? await senderFacts(scope, campaignId, accountIds) : [];
    const rotation = senders.filter((sender) => sender.in_rotation);
    const byId = new Map(senders.map((sender) => [sender.id, sender]));
    return new Map(
      rows.map((row) => {
        const own = byId.get(row.email_account_id ?? 0);
        const facts = { ...factsOf(row), accounts: own ? [own] : rotation };
        return [row.id, nextSend(campaign, facts, campaign.now)];
      }),
    );
  }
}

const factsOf = (row: WaitingRow) => ({
  due_at: row.due_at,
  is_postponed: row.is_postponed,
  contact: {
    timezone: row.timezone,
    absence: row.returns_on && row.ends_at ? { returns_on: row.returns_on, ends_at: row.ends_at } : null,
  },
  message:
    row.message_id === null
      ? null
      : {
          is_sending: row.message_status === 'sending' || row.is_claimed,
          reason: row.reason,
          next_attempt_at: row.next_attempt_at,
        },
});
