import { type ErasedRows, mentions, withoutRowsAbout } from '@outreach/personal-mentions';
import type { BackgroundSteps } from '@outreach/concurrency';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { DataSubject } from './data-subject.js';

/** Parts of refused rows that one transaction reads: a megabyte. */
const MAX_PARTS = 8;
const MAX_IMPORTS = 100;

export interface RefusedPart {
  readonly import_id: number;
  readonly position: number;
}

interface StoredPart extends RefusedPart, Record<string, unknown> {
  readonly content: string;
}

interface ImportError {
  readonly row: number;
  readonly value: string | null;
  readonly message: string;
}

interface StoredImport extends Record<string, unknown> {
  readonly id: number;
  readonly file_name: string | null;
  readonly errors: readonly ImportError[];
}

/**
 * Removes refused rows that tell of a person, and the errors that are reported for them. What was imported is part of the
 * contact.
 * @param steps in which the rows are read, because there may be very many
 * @returns the last part that was read; undefined if no more follow
 */
export async function eraseRefusedRows(
  tx: WorkspaceScope,
  subject: DataSubject,
  { after, steps }: { readonly after: RefusedPart | null; readonly steps: BackgroundSteps },
): Promise<RefusedPart | undefined> {
  const start = after ?? { import_id: 0, position: 0 };
  const read = await tx.query<RefusedPart>(
    sql`SELECT import_id, position FROM import_refused_rows
        WHERE workspace_id = ${tx} AND (import_id, position) > (${start.import_id}::bigint, ${start.position}::int)
        ORDER BY import_id, position LIMIT ${MAX_PARTS}`,
  );
  const last = read.at(-1);
  if (!last) return undefined;
  const parts = await tx.query<StoredPart>(
    sql`SELECT part.import_id, part.position, part.content FROM import_refused_rows part
        CROSS JOIN LATERAL (SELECT lower(part.content) AS text OFFSET 0) lowered
        WHERE part.workspace_id = ${tx} AND (part.import_id, part.position) > (${start.import_id}::bigint, ${start.position}::int)
          AND (part.import_id, part.position) <= (${last.import_id}::bigint, ${last.position}::int)
          AND ${mayMention(subject)}`,
  );
  for (const part of parts) {
    const erased = await steps.finish(tx.workspace_id, withoutRowsAbout(subject, part.content));
    if (erased.numbers.size > 0) await storeErased(tx, subject, { part, ...erased });
  }
  return read.length === MAX_PARTS ? last : undefined;
}

/** Whether `lowered.text` may tell of the person; {@link mentions} decides. */
const mayMention = ({ texts, names }: DataSubject) => sql`(
  EXISTS (SELECT 1 FROM unnest(${[...texts]}::text[]) part WHERE position(part IN lowered.text) > 0)
  OR (${names.length > 0} AND NOT EXISTS (
    SELECT 1 FROM unnest(${[...names]}::text[]) name WHERE position(name IN lowered.text) = 0)))`;

interface ErasedPart extends ErasedRows {
  readonly part: StoredPart;
}

async function storeErased(tx: WorkspaceScope, subject: DataSubject, erased: ErasedPart): Promise<void> {
  const { part, remaining, numbers } = erased;
  const { import_id: id, position, content } = part;
  await tx.execute(
    sql`UPDATE import_refused_rows SET content = ${remaining}
        WHERE workspace_id = ${tx} AND import_id = ${id} AND position = ${position}`,
  );
  await tx.execute(
    sql`UPDATE imports SET refused_bytes = greatest(refused_bytes - ${content.length - remaining.length}, 1)
        WHERE workspace_id = ${tx} AND id = ${id} AND refused_bytes > 0`,
  );
  const [stored] = await findImports(tx, sql`id = ${id}`);
  if (stored) await eraseFrom(tx, subject, stored, numbers);
}

/**
 * Removes the cells that tell of a person from the reported errors of imports, and their file names.
 * @param after the ID of the last import of the batch before @returns that of this one; undefined if no more follow
 */
export async function eraseReportedErrors(
  tx: WorkspaceScope,
  subject: DataSubject,
  after: number,
): Promise<number | undefined> {
  const imports = await findImports(tx, sql`id > ${after}::bigint`);
  for (const stored of imports) await eraseFrom(tx, subject, stored);
  return imports.length === MAX_IMPORTS ? imports.at(-1)?.id : undefined;
}

const findImports = (tx: WorkspaceScope, which: ReturnType<typeof sql>): Promise<StoredImport[]> =>
  tx.query<StoredImport>(
    sql`SELECT id, file_name, errors FROM imports WHERE workspace_id = ${tx} AND ${which} ORDER BY id LIMIT ${MAX_IMPORTS}`,
  );

async function eraseFrom(
  tx: WorkspaceScope,
  subject: DataSubject,
  { id, file_name: name, errors }: StoredImport,
  rows: ReadonlySet<number> = new Set(),
): Promise<void> {
  const isErased = errors.map((error) => rows.has(error.row) || isAbout(subject, error));
  const hasName = name !== null && mentions(subject, name.replace(EXTENSION, ''));
  if (!hasName && !isErased.includes(true)) return;
  const remaining = errors.map((error, index) =>
    isErased[index] ? { ...error, value: null, message: ERASED_ROW } : error,
  );
  await tx.execute(
    sql`UPDATE imports SET errors = ${JSON.stringify(remaining)}::jsonb, file_name = ${hasName ? null : name}
        WHERE workspace_id = ${tx} AND id = ${id}`,
  );
}

/** In `ann@x.example.csv` it is not part of the domain. */
const EXTENSION = /\.\w+$/;

const ERASED_ROW = 'The row was about a person who was erased.';

/** An error shows one cell, which may be a name. */
const isAbout = (subject: DataSubject, { value, message }: ImportError): boolean =>
  mentions(subject, `${value}\n${message}`) || subject.names.includes((value ?? '').trim().toLowerCase());

/** The IDs of imports with a reported error about a person who was erased. */
export async function importsWithErasedRows(scope: WorkspaceScope): Promise<ReadonlySet<number>> {
  return new Set(
    await scope.queryIds(
      sql`SELECT id FROM imports
        WHERE workspace_id = ${scope} AND errors @> ${JSON.stringify([{ message: ERASED_ROW }])}::jsonb`,
    ),
  );
}
