import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { MEGABYTE } from '@outreach/http-api/body';
import { sql } from '../../platform/database/index.js';
import { Busy } from '../../platform/errors/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ImportTaken } from './import.errors.js';

/** Bytes of a part: what is in memory when a file is stored or loaded. */
const PART_BYTES = MEGABYTE;

/** How many imports of a workspace may wait or run, and the size of their files together. */
const MAX_WAITING = 20;
const MAX_WAITING_BYTES = 100 * MEGABYTE;

/**
 * Checks that the workspace may have another waiting import, and lets only one transaction of it do so at a time.
 * @throws Busy
 */
export async function assertRoom(tx: WorkspaceScope, bytes: number): Promise<void> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended('waiting_imports', ${tx}))`);
  const [waiting] = await tx.query<{ count: number; bytes: number }>(
    sql`SELECT count(*) AS count, coalesce(sum(file_bytes), 0) AS bytes FROM imports
        WHERE workspace_id = ${tx} AND status IN ('pending', 'running')`,
  );
  if (!waiting) return;
  if (waiting.count >= MAX_WAITING || Number(waiting.bytes) + bytes > MAX_WAITING_BYTES) throw new Busy();
}

/** Stores the file of an import in parts. */
export async function storeFile(tx: WorkspaceScope, importId: number, path: string): Promise<void> {
  const parts: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: PART_BYTES });
  let position = 0;
  for await (const part of parts) {
    await tx.execute(
      sql`INSERT INTO import_file_parts (workspace_id, import_id, position, content)
          VALUES (${tx}, ${importId}, ${position}, ${part})`,
    );
    position += 1;
  }
}

/**
 * Writes the stored file of an import to a path.
 * @throws ImportTaken if it is not stored any more
 */
export async function loadFile(scope: WorkspaceScope, importId: number, path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    let written = 0;
    for (let position = 0; written < bytes; position++) {
      const [part] = await scope.query<{ content: Buffer }>(
        sql`SELECT content FROM import_file_parts
            WHERE workspace_id = ${scope} AND import_id = ${importId} AND position = ${position}`,
      );
      if (!part) throw new ImportTaken();
      await file.writeFile(part.content);
      written += part.content.length;
    }
  } finally {
    await file.close();
  }
}

export const deleteFile = (tx: WorkspaceScope, importId: number): Promise<number> =>
  tx.execute(sql`DELETE FROM import_file_parts WHERE workspace_id = ${tx} AND import_id = ${importId}`);
