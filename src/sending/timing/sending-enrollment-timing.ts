import { Injectable } from '@nestjs/common';
import { type Enrollment, EnrollmentTiming, type NextSend, type Schedule } from '../../campaigns/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { readContactFacts, reservedNewContacts } from '../rules/index.js';
import { nextSend } from './next-send.js';
import { senderFacts, type WaitingRow, waitingRows } from './next-sends.queries.js';

/**
 * Reads what decides, in three statements for a page, one more for a limit of new contacts, and none for enrollments that have
 * ended.
 */
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
    const isLimited = rows.some((row) => row.max_new_contacts !== null);
    const reserved = isLimited ? await reservedNewContacts(scope, campaignId) : new Map<string, number>();
    const contactIds = rows.map((row) => row.contact_id);
    const contacts = await readContactFacts(scope, campaign, contactIds);
    return new Map(
      rows.map((row) => {
        const own = byId.get(row.email_account_id ?? 0);
        const facts = factsOf(row, campaign.schedule, reserved);
        const contact = { ...facts.contact, ...contacts.get(row.contact_id) };
        const enrollment = { ...facts, contact, accounts: own ? [own] : rotation };
        return [row.id, nextSend(campaign, enrollment, campaign.now)];
      }),
    );
  }
}

const factsOf = (row: WaitingRow, schedule: Schedule | null, reserved: ReadonlyMap<string, number>) => ({
  due_at: row.due_at,
  is_postponed: row.is_postponed,
  lacks_step: row.lacks_step,
  is_unknown: row.is_unknown,
  contact: {
    new_contacts: row.max_new_contacts === null ? null : { schedule, max_per_day: row.max_new_contacts, reserved },
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
