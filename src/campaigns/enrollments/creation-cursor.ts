import { type Sql, sql } from '../../platform/database/index.js';

/** Where a walk through records, in the order of their creation, has come to. */
export interface CreationCursor {
  readonly created_at: Date;
  readonly id: number;
}

export const FIRST_CURSOR: CreationCursor = { created_at: new Date(0), id: 0 };

/** The record comes after the place; `createdAt` and `id` are its columns. */
export const isAfter = (cursor: CreationCursor, createdAt: Sql, id: Sql): Sql =>
  sql`(${createdAt}, ${id}) > (${cursor.created_at}::timestamptz, ${cursor.id}::bigint)`;
