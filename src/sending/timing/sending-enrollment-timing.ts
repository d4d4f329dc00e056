import { Injectable } from '@nestjs/common';
import { type Campaign, type Enrollment, EnrollmentTiming, type NextSend } from '../../campaigns/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { nextSend } from './next-send.js';
import { senderFacts, type WaitingRow, waitingRows } from './next-sends.queries.js';

/** Reads what decides, in two statements for a page, and none for enrollments that have ended. */
@Injectable()
export class SendingEnrollmentTiming extends EnrollmentTiming {
  override async find(
    scope: WorkspaceScope,
    campaign: Campaign,
    enrollments: readonly Enrollment[],
  ): Promise<ReadonlyMap<number, NextSend>> {
    const running = enrollments.filter(({ status }) => status === 'pending' || status === 'in_progress');
    if (running.length === 0) return new Map();
    const rows = await waitingRows(
      scope,
      campaign,
      running.map(({ id }) => id),
    );
    const accountIds = rows.flatMap(({ email_account_id: id }) => id ?? []);
    const senders = rows[0]?.status === 'active' ? await senderFacts(scope, campaign.id, accountIds) : [];
    const rotation = senders.filter((sender) => sender.in_rotation);
    const byId = new Map(senders.map((sender) => [sender.id, sender]));
    return new Map(
      rows.map((row) => {
        const own = byId.get(row.email_account_id ?? 0);
        const enrollment = { ...row, contact: row, message: messageOf(row), accounts: own ? [own] : rotation };
        return [row.id, nextSend(row, enrollment, row.now)];
      }),
    );
  }
}

const messageOf = (row: WaitingRow) =>
  row.message_id === null
    ? null
    : {
        is_sending: row.message_status === 'sending' || row.is_claimed,
        reason: row.reason,
        next_attempt_at: row.next_attempt_at,
      };
