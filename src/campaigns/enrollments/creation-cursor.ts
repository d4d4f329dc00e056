import { type Sql, sql } from '../../platform/database/index.js';

export interface CreationCursor {
  readonly created_at: Date;
  readonly id: number;
}

export const FIRST_CURSOR: CreationCursor = { created_at: new Date(0), id: 0 };

/** SQL condition: the record with these columns comes after the cursor. */
export const isAfter = (cursor: CreationCursor, createdAt: Sql, id: Sql): Sql =>
  sql`(${createdAt}, ${id}) > (${cursor.created_at}::timestamptz, ${cursor.id}::bigint)`;
