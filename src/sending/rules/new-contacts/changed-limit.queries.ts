import type { Schedule } from '@outreach/time-windows';
import { sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import { campaignDay, campaignDayStart } from '../campaign-day.js';
import { lockNewContacts, reserveNewContacts, returnNewContacts } from './new-contacts.queries.js';

/**
 * Takes the reservations of first messages back that are not being sent, because the limit or the days of the campaign
 * have changed: each needs a new one. A preflight check that runs at the same time fails, because `new_on` changes.
 * @returns the messages
 */
export async function revokeReservations(tx: WorkspaceScope, campaignId: number): Promise<number[]> {
  const waiting = {
    name: 'waiting',
    statement: sql`SELECT message.id, message.campaign_id, message.new_on, message.uncertain_attempts
      FROM queued_messages message
      JOIN enrollments enrollment ON enrollment.workspace_id = ${tx} AND enrollment.id = message.enrollment_id
      WHERE message.workspace_id = ${tx} AND message.campaign_id = ${campaignId} AND message.status = 'queued'
        AND message.reply_id IS NULL AND enrollment.status = 'pending'
      ORDER BY message.id FOR UPDATE OF message`,
    columns: sql`id bigint, campaign_id bigint, new_on date, uncertain_attempts int`,
  };
  const rows = await tx.inParts<{ id: number }>(
    [waiting, { name: 'returned', statement: returnNewContacts(tx, sql`waiting`) }],
    sql`UPDATE queued_messages message SET new_on = '-infinity', updated_at = ${tx.now}
        FROM waiting WHERE message.workspace_id = ${tx} AND message.id = waiting.id RETURNING message.id`,
  );
  return rows.map(({ id }) => id);
}

/** Reserves what is free now for revoked messages, the oldest first, so that no new contact is planned before them. */
export async function reserveAgain(tx: WorkspaceScope, campaignId: number, revoked: readonly number[]): Promise<void> {
  const contacts = await lockNewContacts(tx, campaignId);
  if (!contacts) return;
  const reserved = await tx.execute(
    sql`WITH first AS (
          SELECT id FROM queued_messages WHERE workspace_id = ${tx} AND id = ANY(${[...revoked]}::bigint[])
          ORDER BY created_at, id LIMIT ${contacts.free}
        )
        UPDATE queued_messages message SET new_on = ${contacts.day}::date
        FROM first WHERE message.workspace_id = ${tx} AND message.id = first.id`,
  );
  await reserveNewContacts(tx, contacts, reserved);
}

/**
 * Counts the new contacts of today, because the campaign had no limit before: those that have got their first message, and
 * those to whom it is being sent. It reads all messages of the campaign once.
 */
export async function recountNewContacts(tx: WorkspaceScope, campaignId: number): Promise<void> {
  const [campaign] = await tx.query<{ schedule: Schedule | null }>(
    sql`SELECT schedule FROM campaigns WHERE workspace_id = ${tx} AND id = ${campaignId} AND started_at IS NOT NULL`,
  );
  await tx.execute(sql`DELETE FROM new_contact_counts WHERE workspace_id = ${tx} AND campaign_id = ${campaignId}`);
  if (!campaign) return;
  const now = tx.clock.now();
  const day = campaignDay(campaign.schedule, now);
  await tx.execute(
    sql`WITH today AS (
          SELECT message.enrollment_id FROM messages message
          WHERE message.workspace_id = ${tx} AND message.campaign_id = ${campaignId} AND message.reply_id IS NULL
            AND message.sent_at >= ${campaignDayStart(campaign.schedule, now)}
            AND NOT EXISTS (
              SELECT 1 FROM messages earlier WHERE earlier.workspace_id = ${tx}
                AND earlier.enrollment_id = message.enrollment_id AND earlier.sent_at < message.sent_at)
          UNION
          SELECT message.enrollment_id FROM queued_messages message
          JOIN enrollments enrollment ON enrollment.workspace_id = ${tx} AND enrollment.id = message.enrollment_id
          WHERE message.workspace_id = ${tx} AND message.campaign_id = ${campaignId} AND message.status = 'sending'
            AND message.reply_id IS NULL AND enrollment.status = 'pending'
        )
        INSERT INTO new_contact_counts (workspace_id, campaign_id, day, contacts)
        SELECT ${tx}, ${campaignId}, ${day}::date, count(*)::int FROM today`,
  );
}
