import type { PlannedReaction } from '@outreach/simulated-recipients';
import type { ComposedMail } from '../../email-accounts/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** How many messages of a sandbox are stored, how many bytes, and for how many days. The oldest are dropped. */
export const MAX_SANDBOX_MESSAGES = 5_000;
export const MAX_SANDBOX_BYTES = 100_000_000;
export const SANDBOX_MESSAGE_DAYS = 30;

export interface AcceptedMail {
  readonly mail: ComposedMail;
  readonly raw: string;
  /** The type of the account if its provider reports by events. */
  readonly event_provider: string | null;
  /** The enrollment that its Message-ID refers to; none for a test. */
  readonly enrollment_id: number | undefined;
}

/** Stores an accepted message. @returns its ID */
export async function insertMessage(tx: WorkspaceScope, { mail, raw, ...accepted }: AcceptedMail): Promise<number> {
  const [stored] = await tx.query<{ id: number }>(
    sql`INSERT INTO sandbox_messages (workspace_id, campaign_id, contact_id, shown_contact_id, from_address, to_address, subject,
          message_id, html, text, raw, bytes, event_provider, created_at, updated_at)
        SELECT ${tx}, message.campaign_id, message.contact_id, ${mail.shown_contact_id ?? null}::bigint, ${mail.from.email},
          ${mail.to.toLowerCase()}, ${mail.subject}, ${mail.message_id}, ${mail.html}, ${mail.text}, ${raw},
            ${raw.length}::int, ${accepted.event_provider}::text,
          ${tx.now}, ${tx.now}
        FROM (SELECT 1) accepted LEFT JOIN LATERAL (
          SELECT sent.campaign_id, sent.contact_id FROM all_messages sent
          WHERE sent.workspace_id = ${tx} AND sent.enrollment_id = ${accepted.enrollment_id ?? null}::bigint
            AND sent.message_id = ${mail.message_id} LIMIT 1) message ON TRUE
        RETURNING id`,
  );
  if (!stored) throw new Error('The message was not stored.');
  return stored.id;
}

/** Stores what follows after a message, by the clock of the workspace. */
export async function insertReactions(
  tx: WorkspaceScope,
  messageId: number,
  planned: readonly PlannedReaction[],
): Promise<void> {
  if (planned.length === 0) return;
  await tx.execute(
    sql`INSERT INTO sandbox_reactions (workspace_id, sandbox_message_id, kind, due_at, next_attempt_at)
        SELECT ${tx}, ${messageId}, planned.kind, ${tx.now} + make_interval(secs => planned.seconds), ${sql.realNow}
        FROM unnest(${planned.map(({ kind }) => kind)}::text[], ${planned.map((each) => each.after_seconds)}::int[])
          WITH ORDINALITY AS planned (kind, seconds, number) ORDER BY planned.number`,
  );
}

/** Deletes the oldest messages of a sandbox that has too many, and those that are too old. */
export async function dropOldMessages(scope: WorkspaceScope): Promise<void> {
  await scope.execute(
    sql`DELETE FROM sandbox_messages message WHERE message.workspace_id = ${scope} AND message.id IN (
          SELECT old.id FROM sandbox_messages old
          WHERE old.workspace_id = ${scope} AND (
            old.created_at <= ${scope.now} - make_interval(days => ${SANDBOX_MESSAGE_DAYS}) OR old.id <= (
              SELECT newest.id FROM (
                SELECT counted.id, row_number() OVER later AS number, sum(counted.bytes) OVER later AS bytes
                FROM sandbox_messages counted WHERE counted.workspace_id = ${scope}
                WINDOW later AS (ORDER BY counted.id DESC)) newest
              WHERE newest.number > ${MAX_SANDBOX_MESSAGES} OR newest.bytes > ${MAX_SANDBOX_BYTES}
              ORDER BY newest.id DESC LIMIT 1))
          FOR UPDATE SKIP LOCKED)`,
  );
}

/** The reply to a message comes later. @returns the ID of the delay, and when it ends */
export async function insertDelay(
  scope: WorkspaceScope,
  messageId: string,
  seconds: number,
): Promise<{ id: number; ends_at: Date }> {
  const [delay] = await scope.query<{ id: number; ends_at: Date }>(
    sql`INSERT INTO sandbox_delays (workspace_id, message_id, ends_at)
        VALUES (${scope}, ${messageId}, ${scope.now} + make_interval(secs => ${seconds})) RETURNING id, ends_at`,
  );
  if (!delay) throw new Error('The delay was not stored.');
  return delay;
}

/** Deletes a delay, and those whose workers have died. */
export async function deleteDelays(scope: WorkspaceScope, id: number): Promise<void> {
  await scope.execute(
    sql`DELETE FROM sandbox_delays WHERE workspace_id = ${scope}
          AND (id = ${id} OR ends_at < ${scope.now} - INTERVAL '1 hour')`,
  );
}
