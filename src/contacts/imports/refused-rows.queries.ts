import { MEGABYTE } from '@outreach/http-api/body';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { RefusedRows } from '../import/refused-rows.js';

/** Characters that one statement stores. */
const BATCH_LENGTH = MEGABYTE;

/** Characters of refused rows that a workspace has. Those of its oldest imports are deleted first. */
const MAX_STORED_LENGTH = 200 * MEGABYTE;

export async function storeRefused(tx: WorkspaceScope, importId: number, refused: RefusedRows): Promise<void> {
  let [position, length] = [0, 0];
  let batch: string[] = [];
  const insert = async (): Promise<void> => {
    await tx.execute(
      sql`INSERT INTO import_refused_rows (workspace_id, import_id, position, content)
          SELECT ${tx}, ${importId}, ${position} + part.ordinal - 1, part.content
          FROM unnest(${batch}::text[]) WITH ORDINALITY AS part (content, ordinal)`,
    );
    [position, length, batch] = [position + batch.length, 0, []];
  };
  for (const content of refused.contents()) {
    batch.push(content);
    length += content.length;
    if (length >= BATCH_LENGTH) await insert();
  }
  if (batch.length > 0) await insert();
}

/** Deletes the refused rows of the oldest imports of the workspace if there are too many. Those of the newest stay. */
export async function limitRefused(tx: WorkspaceScope): Promise<void> {
  await tx.execute(
    sql`WITH sizes AS (
          SELECT id, sum(refused_bytes) OVER (ORDER BY id DESC) AS total, row_number() OVER (ORDER BY id DESC) AS position
          FROM imports WHERE workspace_id = ${tx} AND refused_bytes > 0
        ), dropped AS (
          UPDATE imports import SET refused_bytes = 0 FROM sizes
          WHERE import.workspace_id = ${tx} AND import.id = sizes.id
            AND sizes.total > ${MAX_STORED_LENGTH} AND sizes.position > 1
          RETURNING import.id
        )
        DELETE FROM import_refused_rows refused USING dropped
        WHERE refused.workspace_id = ${tx} AND refused.import_id = dropped.id`,
  );
}

export async function* refusedParts(scope: WorkspaceScope, importId: number): AsyncGenerator<string> {
  for (let position = 0; ; position++) {
    const [part] = await scope.query<{ content: string }>(
      sql`SELECT content FROM import_refused_rows
          WHERE workspace_id = ${scope} AND import_id = ${importId} AND position = ${position}`,
    );
    if (!part) return;
    yield part.content;
  }
}

/** The first line of the refused rows, and how many characters are stored. */
export async function refusedSize(
  scope: WorkspaceScope,
  importId: number,
): Promise<{ readonly header: string | null; readonly length: number }> {
  const [found] = await scope.query<{ header: string | null; length: number }>(
    sql`SELECT refused_header AS header, refused_bytes AS length FROM imports
        WHERE workspace_id = ${scope} AND id = ${importId}`,
  );
  return found ?? { header: null, length: 0 };
}
