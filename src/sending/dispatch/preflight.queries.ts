import type { GlobalBlacklist } from '../../blacklist/index.js';
import { campaignDay, insideSchedule, type Schedule, scheduleFor } from '../../campaigns/index.js';
import { effectiveLimitOf, sentTodayOf, today } from '../../email-accounts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { LEASE_SECONDS } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { isAway } from '../absences/index.js';
import { isTooRecent } from '../last-messages.queries.js';

/** Why the preflight check stops a message. */
export type StopReason =
  | 'lost'
  | 'day ended'
  | 'paused'
  | 'absent'
  | 'new contact'
  | 'recent message'
  | 'contact busy'
  | 'bounced'
  | 'complained'
  | 'unsubscribed'
  | 'ended'
  | 'blacklisted'
  | 'account changed';

/** A composed message that is about to be sent. */
export interface SendCandidate {
  readonly id: number;
  readonly message_id: string;
  readonly subject: string;
  /** The day in the zone of its campaign, as `YYYY-MM-DD`. */
  readonly day: string;
  /** Whether its account had a gap when it was claimed. */
  readonly has_gap: boolean;
  /** Its contact, if its campaign leaves days between two messages to a contact; else null. */
  readonly checked_contact: number | null;
}

/**
 * What both checks read, as tables of FROM and conditions of CASE: the contact is active, the enrollment is still at
 * this step, the campaign is active, no workspace has blacklisted the address, and the account is active and not over a
 * limit that was lowered, and without a gap that was switched on since the claim. A campaign whose last enrollment has ended is not active either: its message
 * is cancelled for that enrollment instead of waiting for the campaign. An answer to a reply depends neither on the
 * enrollment nor on the campaign, and its address may be another one than that of the contact.
 */
const checkedRows = (scope: WorkspaceScope): Sql => sql`queued_messages message
  JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = message.campaign_id
  JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.id = message.enrollment_id
  JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
  LEFT JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = message.email_account_id`;
const stopConditions = (scope: WorkspaceScope, blacklist: GlobalBlacklist, hadGap: Sql): Sql => sql`
  WHEN contact.status <> 'active' THEN contact.status
  WHEN message.reply_id IS NULL AND (enrollment.status NOT IN ('pending', 'in_progress')
    OR enrollment.current_step_id IS DISTINCT FROM message.step_id) THEN 'ended'
  WHEN message.reply_id IS NULL AND campaign.status <> 'active' THEN 'paused'
  WHEN ${blacklist.isListed(scope, sql`contact.email`)} THEN 'blacklisted'
  WHEN message.reply_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM message_contents content
    WHERE content.workspace_id = ${scope} AND content.message_id = message.id
      AND ${blacklist.isListed(scope, sql`content.to_address`)}) THEN 'blacklisted'
  WHEN account.is_active IS NOT TRUE OR ${sentTodayOf(scope, 'account')} > ${effectiveLimitOf('account', today(scope))}
    OR (account.min_seconds_between > 0 AND NOT ${hadGap}) THEN 'account changed'`;

/** It is the first message to its contact in a campaign that limits these. */
const needsPlace: Sql = sql`(campaign.max_new_contacts_per_day IS NOT NULL AND message.reply_id IS NULL
  AND enrollment.status = 'pending')`;

const isAbsent = (scope: WorkspaceScope): Sql => sql`message.reply_id IS NULL AND EXISTS (
  SELECT 1 FROM absences absence
  WHERE absence.workspace_id = ${scope} AND absence.contact_id = message.contact_id
    AND absence.returns_on >= candidate.day AND absence.ends_at > ${scope.now})`;

/**
 * Checks many messages in one statement: the lease is still ours, it is the day for which the message is
 * reserved in the daily limit, then {@link stopConditions}, and the contact is not away. Sets those that pass to
 * `sending`; a message of a paused campaign does not pass.
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
            ${candidates.map((each) => each.has_gap)}::boolean[])
            AS candidate (id, message_id, subject, day, has_gap)
        ), checked AS (
          SELECT message.id, candidate.message_id, candidate.subject, CASE
            WHEN message.status <> 'queued' OR message.leased_by IS DISTINCT FROM ${worker}::uuid THEN 'lost'
            WHEN message.reserved_on IS DISTINCT FROM ${today(scope)} THEN 'day ended'
            ${stopConditions(scope, blacklist, sql`candidate.has_gap`)}
            WHEN ${isAbsent(scope)} THEN 'absent'
            WHEN ${needsPlace} AND message.new_on IS DISTINCT FROM candidate.day THEN 'new contact'
            WHEN ${isTooRecent(scope)} THEN 'recent message'
          END AS stop, message.new_on
          FROM ${checkedRows(scope)} JOIN candidate ON candidate.id = message.id
          WHERE message.workspace_id = ${scope} AND message.id = ANY(${candidates.map(({ id }) => id)}::bigint[])
        ), passed AS (
          UPDATE queued_messages message SET status = 'sending', attempts = message.attempts + 1,
            lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS}),
            message_id = coalesce(message.message_id, checked.message_id), subject = checked.subject, updated_at = ${scope.now}
          FROM checked
          WHERE message.workspace_id = ${scope} AND message.id = checked.id AND checked.stop IS NULL
            AND message.status = 'queued' AND message.leased_by = ${worker}::uuid
            AND message.new_on IS NOT DISTINCT FROM checked.new_on
          RETURNING message.id
        )
        SELECT checked.id, CASE WHEN checked.stop IS NULL AND passed.id IS NULL THEN 'lost' ELSE checked.stop END AS stop
        FROM checked LEFT JOIN passed USING (id)`.prepared(),
  );
  return new Map(rows.map((row) => [row.id, row.stop]));
}

/**
 * Returns which of the messages that a worker has set to `sending` it may still send: it has the lease, the message is
 * reserved for today, none of {@link stopConditions} holds, the campaign's schedule, as it is now, is open for the contact,
 * who is not away.
 */
export async function findStillAllowed(
  scope: WorkspaceScope,
  worker: string,
  messages: readonly Pick<SendCandidate, 'id' | 'has_gap'>[],
  blacklist: GlobalBlacklist,
): Promise<ReadonlySet<number>> {
  const withGap = messages.filter((message) => message.has_gap).map(({ id }) => id);
  const rows = await scope.query<SendingRow & Record<string, unknown>>(
    sql`SELECT message.id, CASE WHEN message.reply_id IS NULL THEN campaign.schedule END AS schedule,
          contact.timezone, CASE WHEN message.reply_id IS NULL THEN absence.returns_on::text END AS returns_on, absence.ends_at,
          CASE ${stopConditions(scope, blacklist, sql`message.id = ANY(${withGap}::bigint[])`)} END AS stop,
          ${needsPlace} AS needs_place, message.new_on::text AS new_on
        FROM ${checkedRows(scope)}
        LEFT JOIN absences absence ON absence.workspace_id = ${scope} AND absence.contact_id = message.contact_id
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${messages.map(({ id }) => id)}::bigint[]) AND message.status = 'sending'
          AND message.leased_by = ${worker} AND message.reserved_on = ${today(scope)}`,
  );
  const now = scope.clock.now();
  return new Set(rows.filter((row) => mayContinue(row, now)).map(({ id }) => id));
}

/** A message that is `sending`; the absence is null if the contact has none. */
interface SendingRow {
  readonly id: number;
  readonly stop: StopReason | null;
  readonly schedule: Schedule | null;
  /** Of the contact. */
  readonly timezone: string | null;
  readonly returns_on: string | null;
  readonly ends_at: Date | null;
  readonly needs_place: boolean;
  /** The day for which it is reserved as the first message to its contact. */
  readonly new_on: string | null;
}

function mayContinue(row: SendingRow, now: Date): boolean {
  const { stop, schedule, timezone, returns_on: day, ends_at: end } = row;
  if (stop !== null || (schedule && !insideSchedule(scheduleFor(schedule, timezone), now))) return false;
  if (row.needs_place && row.new_on !== campaignDay(schedule, now)) return false;
  return day === null || end === null || !isAway(schedule, { returns_on: day, ends_at: end }, now);
}
