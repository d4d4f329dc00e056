import { DefaultNamingStrategy, type Table } from 'typeorm';

/** Names keys as PostgreSQL does, `contacts_pkey` and `messages_contact_id_fkey`, instead of by a hash. */
export class ConstraintNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${nameOf(table)}_pkey`;
  }

  /** Every foreign key has `workspace_id`, so it is named by the other columns, if there are some. */
  override foreignKeyName(table: Table | string, columns: string[]): string {
    const others = columns.filter((column) => column !== 'workspace_id');
    return `${nameOf(table)}_${(others.length > 0 ? others : columns).join('_')}_fkey`;
  }
}

const nameOf = (table: Table | string): string =>
  (typeof table === 'string' ? table : table.name).split('.').at(-1) ?? '';
