import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type CreationCursor, isAfter } from '../enrollments/creation-cursor.js';

/** The number of enrollments that one transaction deletes, each with its messages, opens, clicks and replies. */
const CHUNK_SIZE = 1_000;

/** A campaign that is to be deleted does not exist for users, and nothing makes it active again. */
export async function markDeleted(tx: WorkspaceScope, campaignId: number): Promise<void> {
  await tx.execute(
    sql`UPDATE campaigns SET deleted_at = ${tx.now}, status = 'paused', updated_at = ${tx.now}
        WHERE workspace_id = ${tx} AND id = ${campaignId}`,
  );
}

/** Locks a campaign that is marked as deleted. @returns false if it is gone, or another worker deletes it */
export async function lockDeleted(tx: WorkspaceScope, campaignId: number): Promise<boolean> {
  const rows = await tx.query(
    sql`SELECT 1 FROM campaigns WHERE workspace_id = ${tx} AND id = ${campaignId} AND deleted_at IS NOT NULL
        FOR UPDATE SKIP LOCKED`,
  );
  return rows.length === 1;
}

export interface EnrollmentChunk {
  readonly ids: readonly number[];
  /** Of the last one; undefined if no others follow. */
  readonly next: CreationCursor | undefined;
}

/** @param after the last enrollment that was deleted before: reading deleted rows again takes longer each time */
export async function nextEnrollments(
  tx: WorkspaceScope,
  campaignId: number,
  after: CreationCursor,
): Promise<EnrollmentChunk> {
  const rows = await tx.query<CreationCursor>(
    sql`SELECT created_at, id FROM enrollments
        WHERE workspace_id = ${tx} AND campaign_id = ${campaignId} AND ${isAfter(after, sql`created_at`, sql`id`)}
        ORDER BY created_at, id LIMIT ${CHUNK_SIZE}`,
  );
  return { ids: rows.map(({ id }) => id), next: rows.length === CHUNK_SIZE ? rows.at(-1) : undefined };
}

/** Deletes enrollments, and with them their messages. */
export async function deleteEnrollments(tx: WorkspaceScope, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`DELETE FROM enrollments WHERE workspace_id = ${tx} AND id = ANY(${[...ids]}::bigint[])`);
}

/**
 * Deletes a campaign without enrollments, and with it its steps. Its enrollments go before: the cascade from the campaign
 * deletes steps before queued messages, which are two levels below it and refer to steps with `NO ACTION`.
 */
export async function deleteCampaign(tx: WorkspaceScope, campaignId: number): Promise<void> {
  await tx.execute(sql`DELETE FROM campaigns WHERE workspace_id = ${tx} AND id = ${campaignId}`);
}
