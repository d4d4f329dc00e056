import { earliestInstant } from '@outreach/time-windows';
import { LEASE_SECONDS } from '@outreach/job-queue';
import type { GlobalBlacklist } from '../../blacklist/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import {
  type CampaignFacts,
  checkedColumns,
  campaignFacts,
  type ContactFacts,
  contactRules,
  isUnchanged,
  repeatedConditions,
  repeatedFacts,
  stopConditions,
  type WaitReason,
} from '../rules/index.js';

/** Why the preflight check stops a message: a rule of the list, or what ends the message or its claim. */
export type StopReason =
  WaitReason | 'lost' | 'contact busy' | 'bounced' | 'complained' | 'unsubscribed' | 'ended' | 'blacklisted';

/** A composed message that is about to be sent. */
export interface SendCandidate {
  readonly id: number;
  readonly message_id: string;
  readonly subject: string;
  /** The day in the zone of its campaign, as `YYYY-MM-DD`. */
  readonly day: string;
  /** The reasons of the rules of its account that bind it since its claim. */
  readonly bound_by: readonly WaitReason[];
  /** Its contact, if one message to a contact is checked at a time; else null. */
  readonly checked_contact: number | null;
}

/**
 * What both checks read, as tables of FROM and conditions of CASE. First what ends the message: the contact is not active, the
 * enrollment is not at this step any more, or a workspace has blacklisted the address. A campaign whose last enrollment has
 * ended is not active either: its message is cancelled for that enrollment instead of waiting for the campaign. Then the stops of
 * the rules. An answer to a reply depends neither on the enrollment nor on the campaign, and its address may be another one
 * than that of the contact.
 */
const checkedRows = (scope: WorkspaceScope): Sql => sql`queued_messages message
  JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = message.campaign_id
  JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.id = message.enrollment_id
  JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
  LEFT JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = message.email_account_id
  JOIN candidate ON candidate.id = message.id`;
const endConditions = (scope: WorkspaceScope, blacklist: GlobalBlacklist): Sql => sql`
  WHEN contact.status <> 'active' THEN contact.status
  WHEN message.reply_id IS NULL AND (enrollment.status NOT IN ('pending', 'in_progress')
    OR enrollment.current_step_id IS DISTINCT FROM message.step_id) THEN 'ended'
  WHEN ${blacklist.isListed(scope, sql`contact.email`)} THEN 'blacklisted'
  WHEN message.reply_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM message_contents content
    WHERE content.workspace_id = ${scope} AND content.message_id = message.id
      AND ${blacklist.isListed(scope, sql`content.to_address`)}) THEN 'blacklisted'`;

const boundByOf = (candidates: readonly Pick<SendCandidate, 'bound_by'>[]) =>
  candidates.map((each) => JSON.stringify(each.bound_by));

/**
 * Checks many messages in one statement: the lease is still ours, then {@link endConditions} and the stops of all rules. Sets
 * those that pass to `sending`; a message of a paused campaign does not pass.
 * @returns the reason to stop per message, or null for those that were set to `sending`
 */
export async function markSending(
  scope: WorkspaceScope,
  worker: string,
  candidates: readonly SendCandidate[],
  blacklist: GlobalBlacklist,
): Promise<ReadonlyMap<number, StopReason | null>> {
  const rows = await scope.query<{ id: number; stop: StopReason | null }>(
    sql`WITH candidate AS (
          SELECT * FROM unnest(
            ${candidates.map(({ id }) => id)}::bigint[], ${candidates.map((each) => each.message_id)}::text[],
            ${candidates.map(({ subject }) => subject)}::text[], ${candidates.map(({ day }) => day)}::date[],
            ${boundByOf(candidates)}::jsonb[])
            AS candidate (id, message_id, subject, day, bound_by)
        ), checked AS (
          SELECT message.id, candidate.message_id, candidate.subject, CASE
            WHEN message.status <> 'queued' OR message.leased_by IS DISTINCT FROM ${worker}::uuid THEN 'lost'
            ${endConditions(scope, blacklist)}
            ${stopConditions(scope)}
          END AS stop${checkedColumns}
          FROM ${checkedRows(scope)}
          WHERE message.workspace_id = ${scope} AND message.id = ANY(${candidates.map(({ id }) => id)}::bigint[])
        ), passed AS (
          UPDATE queued_messages message SET status = 'sending', attempts = message.attempts + 1,
            lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS}),
            message_id = coalesce(message.message_id, checked.message_id), subject = checked.subject, updated_at = ${scope.now}
          FROM checked
          WHERE message.workspace_id = ${scope} AND message.id = checked.id AND checked.stop IS NULL
            AND message.status = 'queued' AND message.leased_by = ${worker}::uuid
            AND ${isUnchanged}
          RETURNING message.id
        )
        SELECT checked.id, CASE WHEN checked.stop IS NULL AND passed.id IS NULL THEN 'lost' ELSE checked.stop END AS stop
        FROM checked LEFT JOIN passed USING (id)`.prepared(),
  );
  return new Map(rows.map((row) => [row.id, row.stop]));
}

/**
 * Returns which of the messages that a worker has set to `sending` it may still send: it has the lease, and neither
 * {@link endConditions} nor a rule, by the campaign and the contact as they are now, is against it.
 */
export async function findStillAllowed(
  scope: WorkspaceScope,
  worker: string,
  messages: readonly Pick<SendCandidate, 'id' | 'bound_by'>[],
  blacklist: GlobalBlacklist,
): Promise<ReadonlySet<number>> {
  const ids = messages.map(({ id }) => id);
  const rows = await scope.query<SendingRow>(
    sql`WITH candidate AS (
          SELECT * FROM unnest(${ids}::bigint[], ${boundByOf(messages)}::jsonb[])
            AS candidate (id, bound_by)
        )
        SELECT message.id, message.reply_id IS NOT NULL AS is_answer, ${campaignFacts}, ${repeatedFacts(scope)},
          CASE ${endConditions(scope, blacklist)} ${repeatedConditions(scope)} END AS stop
        FROM ${checkedRows(scope)}
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${ids}::bigint[]) AND message.status = 'sending'
          AND message.leased_by = ${worker}`,
  );
  const now = scope.clock.now();
  return new Set(rows.filter((row) => mayContinue(row, now)).map(({ id }) => id));
}

type SendingRow = CampaignFacts &
  ContactFacts & { readonly id: number; readonly is_answer: boolean; readonly stop: StopReason | null };

const mayContinue = (row: SendingRow, now: Date): boolean =>
  row.stop === null && (row.is_answer || earliestInstant(now, contactRules(row, row)).reason === null);

/**
 * Locks contacts, so that two messages to one of them are not checked at the same time. Contacts that another transaction
 * has locked are left out.
 */
export async function lockCheckedContacts(
  scope: WorkspaceScope,
  contactIds: readonly number[],
): Promise<ReadonlySet<number>> {
  return new Set(
    await scope.queryIds(
      sql`SELECT id FROM contacts WHERE workspace_id = ${scope} AND id = ANY(${[...contactIds]}::bigint[])
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
    ),
  );
}
