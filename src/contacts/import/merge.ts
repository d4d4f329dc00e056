import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { SetStatus } from '../contact-statuses.js';
import { CONTACT_SIZE_RULE } from '../contact-size.js';
import { COUNT_RULE } from '../custom-fields/custom-field-values.js';
import { LISTS, TAGS } from '../grouping.js';
import {
  insertNew,
  joinGroups,
  recordChangedConsents,
  recordCreated,
  refuseNotCreated,
  refuseOverfull,
  refuseTakenIds,
  refuseTooLarge,
  refuseUnknownCompanies,
  touchJoined,
  updateExisting,
} from './contact-import.queries.js';
import type { ImportOptions } from './import-options.js';
import { groupByAddress, type ImportColumn, isOfStatus, STATUS_COLUMNS } from './import-tables.queries.js';
import type { ImportTally } from './import-tally.js';
import type { Mapping } from './mapping.js';
import type { RowRefusal, RefusedRow, RefusedSet } from './refusals.queries.js';
import { recordChangedStatuses, refuseWaysBack } from './statuses.queries.js';
import type { RowError } from './row-reader.js';

/** The number of created contacts, and of others that the import changed. */
export interface Merged {
  readonly created: number;
  readonly changed: number;
  /** The changed contacts whose status the file has set. */
  readonly statuses: readonly SetStatus[];
}

/** Returns the name of the file's column for a field; null if it has none. */
export type ColumnOf = (field: string) => string | null;

/** What a merge needs beside the loaded rows. */
export interface MergeContext {
  readonly options: ImportOptions;
  /** Takes the rows that fail checks in the database. */
  readonly tally: ImportTally;
  readonly columnOf: ColumnOf;
  /** Called with the part of the import that is done. */
  readonly onProgress: (progress: number) => void;
}

/** The part of an import that is done, by step. The first half is the reading of the file. */
const PROGRESS = { grouped: 0.6, inserted: 0.75, updated: 0.85, joined: 0.9 };

const UNKNOWN_COMPANY: RowRefusal = { field: 'company_id', message: 'The company does not exist.' };
const TAKEN_ID: RowRefusal = { field: 'external_id', message: 'Another contact has this external ID.' };
const WAY_BACK: RowRefusal = {
  field: 'status',
  message:
    'The contact is out: its status does not become active, and that of one that has complained does not change. ' +
    'Subscribe it again with POST /contacts/{id}/resubscribe.',
};
const TOO_MANY_FIELDS: RowRefusal = { field: 'custom_fields', message: COUNT_RULE };
const TOO_LARGE: RowRefusal = { field: 'custom_fields', message: CONTACT_SIZE_RULE };

/** The columns of contacts that an import fills, without the email. Those of the status come together. */
export const columnsOf = ({ fields, customFields }: Mapping, { status }: ImportOptions): ImportColumn[] => [
  ...[...fields.keys()].filter((field) => field !== 'email').filter((field) => !isOfStatus(field)),
  ...(status !== undefined || [...fields.keys()].some(isOfStatus) ? STATUS_COLUMNS : []),
  ...(customFields.size > 0 ? (['custom_fields'] as const) : []),
];

/** The error of a row that the database has refused. */
export const refusalError = (
  { row_number: row, value, field, message }: RefusedRow & RowRefusal,
  columnOf: ColumnOf,
): RowError => ({ row, field, column: columnOf(field), value, message: () => message });

/** Merges the loaded rows into the workspace's contacts, lists and tags. */
export async function mergeRows(
  tx: WorkspaceScope,
  columns: readonly ImportColumn[],
  context: MergeContext,
): Promise<Merged> {
  const { skip_duplicates: skip, lists, tags } = context.options;
  if (columns.includes('company_id')) {
    addRefused(context, await refuseUnknownCompanies(tx, UNKNOWN_COMPANY), UNKNOWN_COMPANY);
  }
  await groupByAddress(tx, columns, skip ? 'first' : 'later');
  context.onProgress(PROGRESS.grouped);
  if (!skip && columns.includes('custom_fields')) {
    addRefused(context, await refuseOverfull(tx, TOO_MANY_FIELDS), TOO_MANY_FIELDS);
    addRefused(context, await refuseTooLarge(tx, TOO_LARGE), TOO_LARGE);
  }
  const hasConsent = columns.includes('tracking_consent');
  const hasStatus = columns.includes('status');
  const hasIds = columns.includes('external_id');
  if (!skip && hasIds) addRefused(context, await refuseTakenIds(tx, TAKEN_ID), TAKEN_ID);
  if (!skip && hasStatus) addRefused(context, await refuseWaysBack(tx, WAY_BACK), WAY_BACK);
  const created = await insertNew(tx, columns);
  if (hasIds) addRefused(context, await refuseNotCreated(tx, TAKEN_ID), TAKEN_ID);
  if (hasConsent && created > 0) await recordCreated(tx, 'tracking_consent', 'unknown');
  if (hasStatus && created > 0) await recordCreated(tx, 'status', 'active');
  context.onProgress(PROGRESS.inserted);
  if (hasConsent && !skip) await recordChangedConsents(tx);
  const statuses = hasStatus && !skip ? await recordChangedStatuses(tx) : [];
  const updated = skip ? 0 : await updateExisting(tx, columns);
  context.onProgress(PROGRESS.updated);
  const joined = (await joinGroups(tx, LISTS, lists)) + (await joinGroups(tx, TAGS, tags));
  if (joined > 0) await touchJoined(tx);
  context.onProgress(PROGRESS.joined);
  return { created, changed: updated + joined, statuses };
}

function addRefused({ tally, columnOf }: MergeContext, { rows, total }: RefusedSet, refusal: RowRefusal): void {
  const errors = rows.map((row) => refusalError({ ...row, ...refusal }, columnOf));
  tally.addErrors(errors, total);
}
