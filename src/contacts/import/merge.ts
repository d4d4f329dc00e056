import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CONTACT_SIZE_RULE } from '../contact-size.js';
import { COUNT_RULE } from '../custom-fields/custom-field-values.js';
import { LISTS, TAGS } from '../grouping.js';
import {
  groupByAddress,
  type ImportColumn,
  insertNew,
  joinGroups,
  refuseOverfull,
  refuseTooLarge,
  type RefusedRows,
  refuseUnknownCompanies,
  touchJoined,
  updateExisting,
} from './contact-import.queries.js';
import type { ImportContactsDto } from './dto/import-contacts.dto.js';
import type { ImportTally } from './import-tally.js';
import type { Mapping } from './mapping.js';

/** The number of created contacts, and of others that the import changed. */
export interface Merged {
  readonly created: number;
  readonly changed: number;
}

/** The columns of contacts that a mapping fills, without the email. */
export const columnsOf = ({ fields, customFields }: Mapping): ImportColumn[] => [
  ...[...fields.keys()].filter((field) => field !== 'email'),
  ...(customFields.size > 0 ? (['custom_fields'] as const) : []),
];

/**
 * Merges the loaded rows into the workspace's contacts, lists and tags. Adds the rows that fail checks in the database
 * to the tally.
 */
export async function mergeRows(
  tx: WorkspaceScope,
  columns: readonly ImportColumn[],
  { skip_duplicates: skip, lists, tags }: ImportContactsDto,
  tally: ImportTally,
): Promise<Merged> {
  if (columns.includes('company_id')) {
    refuse(tally, await refuseUnknownCompanies(tx), 'company_id', 'The company does not exist.');
  }
  await groupByAddress(tx, columns, skip ? 'first' : 'later');
  if (!skip && columns.includes('custom_fields')) {
    refuse(tally, await refuseOverfull(tx), 'custom_fields', COUNT_RULE);
    refuse(tally, await refuseTooLarge(tx), 'custom_fields', CONTACT_SIZE_RULE);
  }
  const created = await insertNew(tx, columns);
  const updated = skip ? 0 : await updateExisting(tx, columns);
  const joined = (await joinGroups(tx, LISTS, lists)) + (await joinGroups(tx, TAGS, tags));
  if (joined > 0) await touchJoined(tx);
  return { created, changed: updated + joined };
}

function refuse(tally: ImportTally, { rows, total }: RefusedRows, field: string, message: string): void {
  tally.addErrors(
    rows.map((row) => ({ row, field, message: () => message })),
    total,
  );
}
