import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { csvRows } from './csv-rows.js';
import { type DataSubject, mentions } from './data-subject.js';

interface StoredPart {
  readonly import_id: number;
  readonly position: number;
  readonly content: string;
}

interface StoredErrors {
  readonly id: number;
  readonly errors: readonly { readonly value: string | null; readonly message: string }[];
}

/** SQL of whether a text in lower case may tell of the person; {@link mentions} decides. */
const mayMention = (subject: DataSubject, text: ReturnType<typeof sql>) => sql`(
  EXISTS (SELECT 1 FROM unnest(${[...subject.texts]}::text[]) part WHERE position(part IN ${text}) > 0)
  OR (${subject.names.length > 0} AND NOT EXISTS (
    SELECT 1 FROM unnest(${[...subject.names]}::text[]) name WHERE position(name IN ${text}) = 0)))`;

/**
 * Removes the refused rows of imports that tell of a person, and their cells from the reported errors. What was imported is
 * part of the contact.
 */
export async function eraseFromImports(tx: WorkspaceScope, subject: DataSubject): Promise<void> {
  await eraseRefusedRows(tx, subject);
  await eraseReportedErrors(tx, subject);
}

async function eraseRefusedRows(tx: WorkspaceScope, subject: DataSubject): Promise<void> {
  const parts = await tx.query<StoredPart & Record<string, unknown>>(
    sql`SELECT import_id, position, content FROM import_refused_rows
        WHERE workspace_id = ${tx} AND ${mayMention(subject, sql`lower(content)`)}`,
  );
  for (const { import_id: id, position, content } of parts) {
    const remaining = csvRows(content)
      .filter((row) => !mentions(subject, row))
      .join('');
    if (remaining.length === content.length) continue;
    await tx.execute(
      sql`UPDATE import_refused_rows SET content = ${remaining}
          WHERE workspace_id = ${tx} AND import_id = ${id} AND position = ${position}`,
    );
    await tx.execute(
      sql`UPDATE imports SET refused_bytes = greatest(refused_bytes - ${content.length - remaining.length}, 1)
          WHERE workspace_id = ${tx} AND id = ${id} AND refused_bytes > 0`,
    );
  }
}

async function eraseReportedErrors(tx: WorkspaceScope, subject: DataSubject): Promise<void> {
  const imports = await tx.query<StoredErrors & Record<string, unknown>>(
    sql`SELECT id, errors FROM imports
        WHERE workspace_id = ${tx} AND errors <> '[]' AND (${mayMention(subject, sql`lower(errors::text)`)} OR ${hasName(subject)})`,
  );
  for (const { id, errors } of imports) {
    const remaining = errors.map((error) =>
      isAbout(subject, error) ? { ...error, value: null, message: ERASED } : error,
    );
    await tx.execute(
      sql`UPDATE imports SET errors = ${JSON.stringify(remaining)}::jsonb WHERE workspace_id = ${tx} AND id = ${id}`,
    );
  }
}

const ERASED = 'The row was about a person who was erased.';

/** An error shows one cell, which may be a name. */
const isAbout = (subject: DataSubject, { value, message }: StoredErrors['errors'][number]): boolean =>
  mentions(subject, `${value}\n${message}`) || subject.names.includes((value ?? '').trim().toLowerCase());

const hasName = ({ names }: DataSubject) =>
  sql`EXISTS (SELECT 1 FROM unnest(${[...names]}::text[]) name WHERE position(name IN lower(errors::text)) > 0)`;
