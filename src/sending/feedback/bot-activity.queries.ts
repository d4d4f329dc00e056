import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { BotReason } from '../bot-reasons.js';
import type { BotActivity } from '../sending.events.js';
import { mayTrackContact } from '../tracking-consent.queries.js';

interface AddedActivity {
  opens: number;
  clicks: number;
  reason: BotReason;
}

/** The sum of what is added to each message, in the order of their IDs. */
function sumsOf(activities: readonly BotActivity[]): Map<number, AddedActivity> {
  const sums = new Map<number, AddedActivity>();
  for (const { message_id: id, type, bot_reason: reason } of activities) {
    const sum = sums.get(id) ?? { opens: 0, clicks: 0, reason };
    sum[type === 'opened' ? 'opens' : 'clicks'] += 1;
    sum.reason = reason;
    sums.set(id, sum);
  }
  return new Map([...sums].sort(([a], [b]) => a - b));
}

/**
 * Adds opens and clicks of bots to their messages, also to one whose result is not recorded yet. A message that moves
 * meanwhile is in the next table that is tried: with its result it moves to `messages`, and back with a retry.
 * @returns the messages that exist and whose recipients may be measured
 */
export async function addBotActivity(scope: WorkspaceScope, activities: readonly BotActivity[]): Promise<Set<number>> {
  const remaining = sumsOf(activities);
  const updated = new Set<number>();
  for (const table of [sql`messages`, sql`queued_messages`, sql`messages`]) {
    if (remaining.size === 0) break;
    for (const { id } of await addIn(scope, table, remaining)) {
      remaining.delete(id);
      updated.add(id);
    }
  }
  return updated;
}

function addIn(
  scope: WorkspaceScope,
  table: Sql,
  added: ReadonlyMap<number, AddedActivity>,
): Promise<{ readonly id: number }[]> {
  const sums = [...added.values()];
  return scope.query(
    sql`UPDATE ${table} message SET bot_opens = message.bot_opens + added.opens,
          bot_clicks = message.bot_clicks + added.clicks, bot_reason = added.reason, updated_at = ${scope.now}
        FROM unnest(${[...added.keys()]}::bigint[], ${sums.map(({ opens }) => opens)}::smallint[],
          ${sums.map(({ clicks }) => clicks)}::smallint[], ${sums.map(({ reason }) => reason)}::text[])
          AS added (id, opens, clicks, reason), contacts contact
        WHERE message.workspace_id = ${scope} AND message.id = added.id
          AND contact.workspace_id = ${scope} AND contact.id = message.contact_id AND ${mayTrackContact(scope, 'contact')}
        RETURNING message.id`.prepared(),
  );
}
