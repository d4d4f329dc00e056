import { type Sql, sql } from '../../platform/database/index.js';

/** Where a walk through records, in the order of their creation, has come to. */
export interface Place {
  readonly created_at: Date;
  readonly id: number;
}

export const BEGINNING: Place = { created_at: new Date(0), id: 0 };

/** The record comes after the place; `createdAt` and `id` are its columns. */
export const isAfter = (place: Place, createdAt: Sql, id: Sql): Sql =>
  sql`(${createdAt}, ${id}) > (${place.created_at}::timestamptz, ${place.id}::bigint)`;
