import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { HitKind, MessageHit, Verdict } from './message-hit.entity.js';
import { GRACE_SECONDS, SCAN_SECONDS } from './scanners.js';

/** A hit to be written down. */
export interface NewHit {
  readonly message_id: number;
  readonly kind: HitKind;
  readonly link: number | null;
  readonly url: string | null;
  readonly user_agent: string | null;
  readonly verdict: Verdict;
}

/** A hit whose time has come to be judged, or one of the same message and time that it is judged by. */
export type JudgedHit = Pick<MessageHit, 'id' | 'message_id' | 'kind' | 'link' | 'url' | 'created_at'> & {
  readonly is_due: boolean;
  /** Whether its message counts as opened already. */
  readonly is_opened: boolean;
};

/** More of one kind say nothing new of a message: whoever loads its picture for ever fills no disk. */
const MOST_OF_A_KIND = 1000;
const BATCH = 500;

/** Writes a hit down, unless its message is gone. A message that goes at this instant is gone. */
export async function insertHit(scope: WorkspaceScope, hit: NewHit): Promise<void> {
  await scope.execute(
    sql`INSERT INTO message_hits (workspace_id, message_id, kind, link, url, user_agent, verdict)
        SELECT ${scope}, message.id, ${hit.kind}, ${hit.link}::int, ${hit.url}, ${hit.user_agent}, ${hit.verdict}
        FROM messages message
        WHERE message.workspace_id = ${scope} AND message.id = ${hit.message_id} AND (
          SELECT count(*) FROM (
            SELECT 1 FROM message_hits known
            WHERE known.workspace_id = ${scope} AND known.message_id = ${hit.message_id} AND known.kind = ${hit.kind}
            LIMIT ${MOST_OF_A_KIND}) recorded) < ${MOST_OF_A_KIND}
        FOR KEY SHARE OF message`,
  );
}

/**
 * The undecided hits that are old enough to be judged, the oldest first and locked, with all others of their messages
 * that happened around the same time.
 */
export function hitsToJudge(scope: WorkspaceScope): Promise<JudgedHit[]> {
  return scope.query<JudgedHit>(
    sql`WITH due AS MATERIALIZED (
          SELECT id, message_id, created_at FROM message_hits
          WHERE workspace_id = ${scope} AND verdict = 'undecided'
            AND created_at <= now() - make_interval(secs => ${GRACE_SECONDS})
          ORDER BY created_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
        ), visited AS (
          SELECT message_id, min(created_at) AS since, max(created_at) AS until FROM due GROUP BY message_id
        )
        SELECT hit.id, hit.message_id, hit.kind, hit.link, hit.url, hit.created_at,
          due.id IS NOT NULL AS is_due, message.opened_at IS NOT NULL AS is_opened
        FROM visited
        JOIN messages message ON message.workspace_id = ${scope} AND message.id = visited.message_id
        JOIN message_hits hit ON hit.workspace_id = ${scope} AND hit.message_id = visited.message_id
          AND hit.created_at >= visited.since - make_interval(secs => ${GRACE_SECONDS + SCAN_SECONDS})
          AND hit.created_at <= visited.until + make_interval(secs => ${GRACE_SECONDS})
        LEFT JOIN due ON due.id = hit.id
        ORDER BY hit.message_id, hit.created_at, hit.id`,
  );
}

/** Writes down what was decided of hits. */
export async function decideHits(
  scope: WorkspaceScope,
  decided: readonly { readonly id: number; readonly verdict: Verdict }[],
): Promise<void> {
  await scope.execute(
    sql`UPDATE message_hits hit SET verdict = decided.verdict
        FROM unnest(${decided.map(({ id }) => id)}::bigint[], ${decided.map(({ verdict }) => verdict)}::text[])
          AS decided (id, verdict)
        WHERE hit.workspace_id = ${scope} AND hit.id = decided.id`,
  );
}
