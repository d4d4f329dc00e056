import type { Schedule } from '@outreach/time-windows';
import { type Sql, sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import type { PlannedFacts, PlanningLimit } from '../rule.js';
import { campaignDay, campaignSlot, nextCampaignDay } from '../campaign-day.js';
import { MAX_NEW_CONTACTS_REASON } from './new-contact-limit.js';

/** What a campaign that has reached its limit of new contacts does not wait for longer: cancelled messages free places. */
const RECHECK_SECONDS = 60;

/** How many new contacts a campaign may reserve for the next day on which it sends. */
export interface NewContacts {
  readonly campaign_id: number;
  /** The day, as `YYYY-MM-DD`: today, or that of the next window of the schedule. */
  readonly day: string;
  readonly free: number;
  /** When the campaign may send to new contacts again if none is free; null if never. */
  readonly until: Date | null;
}

/**
 * Locks a campaign against other reservations, and returns what it may reserve.
 * @returns undefined if it has no limit
 */
export async function lockNewContacts(tx: WorkspaceScope, campaignId: number): Promise<NewContacts | undefined> {
  const [campaign] = await tx.query<{ schedule: Schedule | null; max: number }>(
    sql`SELECT schedule, max_new_contacts_per_day AS max FROM campaigns
        WHERE workspace_id = ${tx} AND id = ${campaignId} AND max_new_contacts_per_day IS NOT NULL FOR NO KEY UPDATE`,
  );
  if (!campaign) return undefined;
  const { schedule, max } = campaign;
  const now = tx.clock.now();
  const slot = campaignSlot(schedule, now);
  const day = campaignDay(schedule, slot ?? now);
  const [count] = await tx.query<{ reserved: number }>(
    sql`SELECT coalesce(sum(contacts), 0)::int AS reserved FROM new_contact_counts
        WHERE workspace_id = ${tx} AND campaign_id = ${campaignId} AND day = ${day}::date`,
  );
  return {
    campaign_id: campaignId,
    day,
    free: slot ? Math.max(0, max - (count?.reserved ?? 0)) : 0,
    until: slot && campaignSlot(schedule, nextCampaignDay(schedule, slot)),
  };
}

/** SQL expression: how many new contacts of `campaign` are reserved, as an object by day (`YYYY-MM-DD`). */
export const selectReserved = (scope: WorkspaceScope): Sql => sql`(
  SELECT coalesce(jsonb_object_agg(reserved.day, reserved.contacts), '{}') FROM (
    SELECT count.day::text AS day, sum(count.contacts)::int AS contacts FROM new_contact_counts count
    WHERE count.workspace_id = ${scope} AND count.campaign_id = campaign.id GROUP BY count.day) reserved)`;

/** Returns how many new contacts of a campaign are reserved, by day as `YYYY-MM-DD`. */
export async function reservedNewContacts(
  scope: WorkspaceScope,
  campaignId: number,
): Promise<Readonly<Record<string, number>>> {
  const [row] = await scope.query<{ reserved: Record<string, number> }>(
    sql`SELECT ${selectReserved(scope)} AS reserved FROM campaigns campaign
        WHERE campaign.workspace_id = ${scope} AND campaign.id = ${campaignId}`,
  );
  return row?.reserved ?? {};
}

/** Reserves some of the places that are free, and drops what is stored of earlier days. The campaign is locked. */
export async function reserveNewContacts(
  tx: WorkspaceScope,
  { campaign_id: id, day }: NewContacts,
  contacts: number,
): Promise<void> {
  if (contacts === 0) return;
  await tx.execute(
    sql`WITH stored AS (
          DELETE FROM new_contact_counts WHERE workspace_id = ${tx} AND campaign_id = ${id} AND day <= ${day}::date
          RETURNING day, contacts
        )
        INSERT INTO new_contact_counts (workspace_id, campaign_id, day, contacts)
        SELECT ${tx}, ${id}, ${day}::date, ${contacts}::int + coalesce(sum(contacts) FILTER (WHERE day = ${day}::date), 0)
        FROM stored`,
  );
}

/**
 * INSERT that returns the places of messages that will not be sent, as part of a statement. A message of which a server may
 * have accepted a copy does not return its place.
 * @param ended rows of `queued_messages`, as they were
 */
export const returnNewContacts = (scope: WorkspaceScope, ended: Sql): Sql => sql`
  INSERT INTO new_contact_counts (workspace_id, campaign_id, day, contacts)
  SELECT ${scope}, campaign_id, new_on, -count(*)::int FROM ${ended}
  WHERE new_on > '-infinity'::date AND uncertain_attempts = 0 GROUP BY campaign_id, new_on`;

/** SQL condition: the first message `message` of `enrollment` waits, and has no place on the day. */
const needsPlace = ({ day }: NewContacts): Sql => sql`(message.status = 'queued' AND message.reply_id IS NULL
  AND message.new_on IS DISTINCT FROM ${day}::date AND enrollment.status = 'pending')`;

const waitsForPlace = (tx: WorkspaceScope, contacts: NewContacts): Sql => sql`
  message.workspace_id = ${tx} AND message.campaign_id = ${contacts.campaign_id} AND ${needsPlace(contacts)}
  AND (message.reason = ${MAX_NEW_CONTACTS_REASON} OR message.next_attempt_at <= ${tx.now})`;

/** Returns how many messages wait for a place, at most as many as are free. They get theirs before new contacts are planned. */
async function countWaitingForPlace(tx: WorkspaceScope, contacts: NewContacts): Promise<number> {
  if (contacts.free === 0) return 0;
  const waiting = await tx.query(
    sql`SELECT 1 FROM queued_messages message
        JOIN enrollments enrollment ON enrollment.workspace_id = ${tx} AND enrollment.id = message.enrollment_id
        WHERE ${waitsForPlace(tx, contacts)} LIMIT ${contacts.free}`,
  );
  return waiting.length;
}

/**
 * Reserves a place for a claimed message, unless it has one by now.
 * @returns false if none is free
 */
export async function reserveFor(tx: WorkspaceScope, contacts: NewContacts, id: number): Promise<boolean> {
  const [message] = await tx.query<{ has_place: boolean }>(
    sql`SELECT coalesce(new_on = ${contacts.day}::date, FALSE) AS has_place FROM queued_messages
        WHERE workspace_id = ${tx} AND id = ${id} AND status = 'queued' FOR UPDATE`,
  );
  if (!message || message.has_place) return true;
  if (contacts.free === 0) return false;
  await tx.execute(
    sql`UPDATE queued_messages SET new_on = ${contacts.day}::date WHERE workspace_id = ${tx} AND id = ${id}`,
  );
  await reserveNewContacts(tx, contacts, 1);
  return true;
}

/**
 * Reserves places for messages that wait for them, also for claimed ones, before new contacts are planned.
 * @returns the accounts that have due messages now, one for each message
 */
async function reserveForWaiting(tx: WorkspaceScope, contacts: NewContacts): Promise<number[]> {
  if (contacts.free === 0) return [];
  const due = await tx.query<{ email_account_id: number }>(
    sql`WITH waiting AS MATERIALIZED (
          SELECT message.id FROM queued_messages message
          JOIN enrollments enrollment ON enrollment.workspace_id = ${tx} AND enrollment.id = message.enrollment_id
          WHERE ${waitsForPlace(tx, contacts)} AND message.email_account_id IS NOT NULL
          ORDER BY message.created_at, message.id LIMIT ${contacts.free} FOR UPDATE OF message SKIP LOCKED
        )
        UPDATE queued_messages message SET new_on = ${contacts.day}::date, reason = NULL, updated_at = ${tx.now},
          next_attempt_at = least(message.next_attempt_at, ${tx.now})
        FROM waiting WHERE message.workspace_id = ${tx} AND message.id = waiting.id
        RETURNING message.email_account_id`,
  );
  await reserveNewContacts(tx, contacts, due.length);
  return due.map(({ email_account_id: id }) => id);
}

/** No place is free: postpones all due first messages of a campaign that have none. Claimed ones find out by themselves. */
export async function postponeNewContacts(tx: WorkspaceScope, contacts: NewContacts): Promise<void> {
  await tx.execute(
    sql`WITH due AS MATERIALIZED (
          SELECT message.id FROM queued_messages message
          JOIN enrollments enrollment ON enrollment.workspace_id = ${tx} AND enrollment.id = message.enrollment_id
          WHERE message.workspace_id = ${tx} AND message.campaign_id = ${contacts.campaign_id}
            AND message.lease_until IS NULL AND message.next_attempt_at <= ${tx.now} AND ${needsPlace(contacts)}
          FOR UPDATE OF message SKIP LOCKED
        )
        UPDATE queued_messages message SET reason = ${MAX_NEW_CONTACTS_REASON}, 
          next_attempt_at = coalesce(${contacts.until}::timestamptz, 'infinity'),
          updated_at = ${tx.now}
        FROM due WHERE message.workspace_id = ${tx} AND message.id = due.id`,
  );
}

/** No place is free: planning does not look for new contacts of this campaign for a while. The campaign is locked. */
async function postponeNewContactPlanning(tx: WorkspaceScope, contacts: NewContacts): Promise<void> {
  await tx.execute(
    sql`UPDATE campaigns SET new_contacts_from =
          least(${contacts.until}::timestamptz, ${tx.now} + make_interval(secs => ${RECHECK_SECONDS}))
        WHERE workspace_id = ${tx} AND id = ${contacts.campaign_id}`,
  );
}

/**
 * Locks and returns the places of a campaign that is planned. Messages that have waited for one get it before new contacts are
 * planned.
 */
export async function lockPlanning(
  tx: WorkspaceScope,
  { id, schedule }: PlannedFacts,
): Promise<PlanningLimit | undefined> {
  const contacts = await lockNewContacts(tx, id);
  if (!contacts) return undefined;
  const accounts = await reserveForWaiting(tx, contacts);
  const left = { ...contacts, free: contacts.free - accounts.length };
  // Those that wait are being claimed at this moment.
  const free = left.free - (await countWaitingForPlace(tx, left));
  let untaken = free;
  return {
    accounts,
    free,
    take: (until) => {
      if (untaken <= 0 || !until || campaignDay(schedule, until) !== contacts.day) return null;
      untaken -= 1;
      return contacts.day;
    },
    reserve: async (places) => {
      await reserveNewContacts(tx, contacts, places);
      if (places >= free) await postponeNewContactPlanning(tx, contacts);
    },
  };
}
