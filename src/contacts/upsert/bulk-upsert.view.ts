import type { FieldErrors } from '@outreach/http-errors';
import { is, view } from '@outreach/http-api/responses';

/** What has become of a record of a bulk upsert. */
export const UPSERT_STATUSES = [
  /** The contact is new. */
  'created',
  /** The contact existed, and has the fields of the record now. */
  'updated',
  /** The contact existed, and stays as it is. */
  'skipped',
  /** The record has errors, and changes nothing. */
  'failed',
] as const;
/** What has become of a record of a bulk upsert. */
export type UpsertStatus = (typeof UPSERT_STATUSES)[number];

/** The result of one record. */
export interface UpsertResult {
  readonly index: number;
  readonly id: number | null;
  readonly status: UpsertStatus;
  readonly errors: FieldErrors | null;
}

/** The results of a bulk upsert, in the order of the records. */
export interface BulkUpserted {
  readonly results: readonly UpsertResult[];
  /** Undefined if there are none. */
  readonly new_custom_fields?: readonly string[];
}

const resultView = view('UpsertResult', {
  /** The position of the record in `contacts`, from 0. */
  index: is.integer,
  /** The ID of the contact; null if the record failed. */
  id: is.nullable(is.id),
  /** What has become of the record. */
  status: is.oneOf(UPSERT_STATUSES),
  /**
   * If the record failed: the path of each invalid field in the record → messages. At most 1,000 fields of all records
   * are named, but at least one of each; `_more` says how many others there are. Otherwise null.
   */
  errors: {
    type: ['object', 'null'],
    additionalProperties: { type: 'array', items: { type: 'string' } },
  },
});

/** The response to a bulk upsert. */
export const bulkUpsertedView = view(
  'BulkUpsertResult',
  {
    /** The number of contacts that are new. */
    created: is.integer,
    /** The number of records that have updated a contact. */
    updated: is.integer,
    /** The number of records whose contact existed and stays as it is. */
    skipped: is.integer,
    /** The number of records with errors. */
    failed: is.integer,
    /** One result for each record, in their order. */
    results: is.arrayOf(is.view(resultView)),
    /** The keys that this request has made custom fields of the workspace; absent if it has made none. */
    new_custom_fields: is.arrayOf(is.string),
  },
  ({ results, new_custom_fields: keys }: BulkUpserted) => ({
    ...countByStatus(results),
    ...(keys ? { new_custom_fields: keys } : {}),
  }),
  ['new_custom_fields'],
);

function countByStatus(results: readonly UpsertResult[]): Record<UpsertStatus, number> {
  const counts = { created: 0, updated: 0, skipped: 0, failed: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}
