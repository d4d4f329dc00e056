import type { Calls } from './calls.js';
import { unwrap } from './errors.js';
import { wait } from './retrying-fetch.js';
import type { Schemas } from './types.js';

/** Field of a contact, or `custom_fields.<key>` → the name of the column in the file. */
export type ImportMapping = Readonly<Record<string, string>>;

export interface ImportOptions {
  /** Whether rows of contacts that exist are left out: true by default. With false, their cells change the contact. */
  readonly skipDuplicates?: boolean;
  /** Whether the file is only checked. */
  readonly dryRun?: boolean;
  /** The IDs of lists that the contact of every valid row joins. */
  readonly lists?: readonly number[];
  /** The IDs of tags that the contact of every valid row gets. */
  readonly tags?: readonly number[];
  /** The status of rows that have none of their own. */
  readonly status?: NonNullable<Schemas['ImportContacts']['status']>;
  /** The name of the file, for a text: `contacts.csv` by default. */
  readonly fileName?: string;
  /** The key of the import, to repeat it in another process: a new one by default. */
  readonly idempotencyKey?: string;
  /** The pause before the state of the import is read again: 1,000 milliseconds by default. */
  readonly pollIntervalMs?: number;
  /** Gets each state of the import that is read, with its `progress`. */
  readonly onProgress?: (state: Schemas['Import']) => void;
  /** Ends the requests and the pauses, not the import; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

const POLL_INTERVAL_MS = 1_000;
const RUNNING: ReadonlySet<string> = new Set(['pending', 'running']);

/**
 * Sends a CSV file, which a worker of the service imports, and returns the import when it has ended.
 * @throws ApiError; the reason of the signal
 */
export async function importFile(
  { GET, POST }: Pick<Calls, 'GET' | 'POST'>,
  file: Blob | string,
  mapping: ImportMapping | undefined,
  options: ImportOptions,
): Promise<Schemas['Import']> {
  const { idempotencyKey, pollIntervalMs = POLL_INTERVAL_MS, onProgress, signal } = options;
  const init = signal ? { signal } : {};
  // The types of openapi-fetch describe a form as an object.
  const body = formOf(file, mapping, options) as unknown as Schemas['ImportContacts'];
  const header = { Prefer: 'respond-async', ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}) };
  const sent = await unwrap(POST('/v1/contacts/import', { ...init, params: { header }, body }));
  // A service that does not import in the background has done it now.
  const id = 'import_id' in sent.data ? sent.data.import_id : sent.data.id;
  for (;;) {
    const { data } = await unwrap(GET('/v1/imports/{id}', { ...init, params: { path: { id } } }));
    onProgress?.(data);
    if (!RUNNING.has(data.status)) return data;
    await wait(pollIntervalMs, signal);
  }
}

function formOf(file: Blob | string, mapping: ImportMapping | undefined, options: ImportOptions): FormData {
  const { skipDuplicates, dryRun, lists = [], tags = [], status, fileName } = options;
  const form = new FormData();
  const name = fileName ?? (file instanceof File ? file.name : 'contacts.csv');
  form.set('file', typeof file === 'string' ? new Blob([file], { type: 'text/csv' }) : file, name);
  if (mapping) form.set('mapping', JSON.stringify(mapping));
  if (skipDuplicates !== undefined) form.set('skip_duplicates', String(skipDuplicates));
  if (dryRun !== undefined) form.set('dry_run', String(dryRun));
  if (status !== undefined) form.set('status', status);
  for (const id of lists) form.append('lists[]', String(id));
  for (const id of tags) form.append('tags[]', String(id));
  return form;
}
