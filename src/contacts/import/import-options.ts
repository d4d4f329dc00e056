import type { ContactStatus } from '../contact.entity.js';

/** What an import does with the rows of its file. */
export interface ImportOptions {
  /** The column name of each contact field or `custom_fields.<key>`. */
  readonly mapping?: Readonly<Record<string, unknown>>;
  /** Whether existing contacts are left alone; otherwise filled cells update them. */
  readonly skip_duplicates: boolean;
  /** The status of the contacts of rows that have none. */
  readonly status?: ContactStatus;
  /** IDs of the lists and tags that the contact of every valid row joins. */
  readonly lists: readonly number[];
  readonly tags: readonly number[];
  /** Whether everything is done but nothing is stored. */
  readonly dry_run: boolean;
}
