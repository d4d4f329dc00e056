import { Injectable } from '@nestjs/common';
import { BackgroundSteps, FairQueue } from '@outreach/concurrency';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';
import { ContactAddresses } from '../contact-addresses.js';
import { ContactStatuses, type SetStatus } from '../contact-statuses.js';
import { ExternalIdTaken } from '../contact.entity.js';
import type { CustomFieldType } from '../custom-fields/custom-field.entity.js';
import { lockTypes } from '../custom-fields/custom-fields.queries.js';
import { CustomFields } from '../custom-fields/custom-fields.service.js';
import { CHANGED, CREATED, removeUnused } from './contact-import.queries.js';
import { type CsvFile, type CsvRecord, NotCsv } from '@outreach/csv-files';
import { withFileError } from './file-errors.js';
import type { ImportOptions } from './import-options.js';
import { inImportPlace } from './import-places.js';
import { copyRows, createTables, type ImportColumn } from './import-tables.queries.js';
import { type ImportSummary, ImportTally } from './import-tally.js';
import { type Mapping, readMapping } from './mapping.js';
import { type ColumnOf, columnsOf, mergeRows, refusalError } from './merge.js';
import { refusedRows } from './refusals.queries.js';
import { RefusedRows } from './refused-rows.js';
import { type RowError, RowReader } from './row-reader.js';

/** How often an import begins anew because other requests have given its external IDs to contacts meanwhile. */
const MAX_ATTEMPTS = 5;

/** Characters of rows: about ten times what a file of the maximum size normally makes. */
const MAX_STAGED_CHARACTERS = 100_000_000;

/** The part of an import that is done when its file is read. */
const READ_PROGRESS = 0.5;
const PUBLISHED_PROGRESS = 0.95;

/** A file to import. */
export interface ImportJob {
  readonly file: CsvFile;
  readonly options: ImportOptions;
  /** Ends the waiting for a place with its reason. */
  readonly waiting: AbortSignal;
  /** Whether the workspace has just had a place. */
  readonly isNext?: boolean;
  /** Called when the import has a place. */
  readonly onStart?: () => void;
  /** Called with the part of the import that is done, from 0 to 1. */
  readonly onProgress?: (progress: number) => void;
}

/** What an import has done, or would do. */
export interface ImportOutcome {
  readonly summary: ImportSummary;
  readonly refused: RefusedRows;
}

/** An import in its transaction. */
interface ImportRun {
  readonly tx: WorkspaceScope;
  readonly job: ImportJob;
  readonly mapping: Mapping;
  readonly reader: RowReader;
  readonly tally: ImportTally;
  readonly refused: RefusedRows;
}

/** A record, and its row for COPY or its error. */
interface ReadRecord {
  readonly record: CsvRecord;
  readonly row: string | RowError;
}

/**
 * Imports contacts from CSV (API v1, "Import"). Valid rows are streamed into a temporary table, and a few statements
 * merge them all. An import is one transaction, so a failure leaves nothing behind.
 */
@Injectable()
export class ContactImport {
  private readonly queue = new FairQueue(FAIR_QUEUES.imports);

  constructor(
    private readonly customFields: CustomFields,
    private readonly events: DomainEvents,
    private readonly addresses: ContactAddresses,
    private readonly statuses: ContactStatuses,
    private readonly steps: BackgroundSteps,
  ) {}

  /**
   * @param scope its statements should have no time limits: the work grows with the file and the workspace, and would be
   *   lost if it waited too long for a lock
   * @param finish runs last in the transaction of the import
   * @returns what `finish` returns
   * @throws ValidationFailed on `file` if a row cannot be read; LimitReached; ExternalIdTaken if other requests take external
   *   IDs of the file again and again; then nothing is imported
   */
  run<R>(
    scope: WorkspaceScope,
    job: ImportJob,
    finish: (tx: WorkspaceScope, outcome: ImportOutcome) => Promise<R>,
  ): Promise<R> {
    const isNext = job.isNext ?? this.queue.size(scope.workspace_id) > 0;
    const work = async (tx: WorkspaceScope): Promise<R> => {
      job.onStart?.();
      const { dry_run: isDry } = job.options;
      return finish(tx, await (isDry ? tx.undoing(() => this.import(tx, job)) : this.import(tx, job)));
    };
    const inPlace = () => inImportPlace(scope, isNext, work, job.waiting);
    const imported = () => withFileError(() => repeatWhileTaken(inPlace));
    return this.queue.run(scope.workspace_id, imported, job.waiting);
  }

  /** Runs again after a deadlock and by {@link repeatWhileTaken}, so it reads the file and counts from the start. */
  private async import(tx: WorkspaceScope, job: ImportJob): Promise<ImportOutcome> {
    const { file, options } = job;
    const { mapping } = readMapping(file, options.mapping);
    const columns = columnsOf(mapping, options);
    const { types, added } = await this.define(tx, [...mapping.customFields.keys()]);
    const reader = new RowReader(mapping, file.columns, { types, status: options.status, now: tx.clock.now() });
    const run = { tx, job, mapping, reader, tally: new ImportTally(), refused: new RefusedRows(file) };
    await createTables(tx, columns);
    await copyRows(tx, columns, this.validRows(run));
    const failedReading = run.tally.failed;
    const onProgress = job.onProgress ?? (() => undefined);
    const columnOf = columnsOfFile(run);
    const merged = await mergeRows(tx, columns, { options, tally: run.tally, columnOf, onProgress });
    await removeUnused(tx, added);
    if (merged.created > 0) await this.addresses.completeNew(tx, CREATED);
    if (merged.changed > 0) await this.publishChanged(tx, columns, merged.statuses);
    onProgress(PUBLISHED_PROGRESS);
    const refused = run.tally.failed > failedReading ? await this.allRefused(run) : run.refused;
    return { summary: run.tally.summary(merged.created, options.skip_duplicates ? 'skipped' : 'updated'), refused };
  }

  private async publishChanged(
    tx: WorkspaceScope,
    columns: readonly ImportColumn[],
    statuses: readonly SetStatus[],
  ): Promise<void> {
    await this.events.publish(tx, 'contact.updated', { contacts: CHANGED });
    await this.statuses.publishSet(tx, statuses);
    if (columns.includes('timezone')) await this.events.publish(tx, 'contact.timezone_changed', { contacts: CHANGED });
  }

  /** Creates missing custom fields with the type `text`. `removeUnused` deletes those that no cell fills. */
  private async define(
    tx: WorkspaceScope,
    keys: readonly string[],
  ): Promise<{ types: ReadonlyMap<string, CustomFieldType>; added: readonly string[] }> {
    const known = await lockTypes(tx, keys);
    const added = keys.filter((key) => !known.has(key));
    const { types } = await this.customFields.define(tx, new Map(keys.map((key) => [key, known.get(key) ?? 'text'])));
    return { types, added };
  }

  /**
   * The valid rows of the file, for COPY. Adds the others to the tally and to the refused rows.
   * @throws NotCsv if the rows are too long in all, which happens when a mapping uses one column for many fields
   */
  private async *validRows({ tx, job, reader, tally, refused }: ImportRun): AsyncGenerator<string> {
    let length = 0;
    for await (const batch of job.file.batches()) {
      const read = this.steps.map(tx.workspace_id, batch, (record) => {
        const row = reader.read(record);
        if (typeof row !== 'string') refused.add(record, row);
        return row;
      });
      for await (const rows of read) {
        const lines = rows.filter((row) => typeof row === 'string').join('');
        tally.addErrors(rows.filter((row) => typeof row !== 'string'));
        tally.addRows(rows.length);
        length += lines.length;
        if (length > MAX_STAGED_CHARACTERS)
          throw new NotCsv('The mapping uses the columns of the file for too many fields.');
        yield lines;
      }
      job.onProgress?.(READ_PROGRESS * job.file.progress);
    }
  }

  /** Reads the file again for the cells of the rows that the database has refused, which are between the others. */
  private async allRefused(run: ImportRun): Promise<RefusedRows> {
    const all = new RefusedRows(run.job.file);
    const columnOf = columnsOfFile(run);
    const byDatabase = refusedRows(run.tx);
    let next = await byDatabase.next();
    for await (const { record, row } of this.readAgain(run)) {
      if (typeof row !== 'string') all.add(record, row);
      else if (!next.done && next.value.row_number === record.row) {
        all.add(record, refusalError(next.value, columnOf));
        next = await byDatabase.next();
      }
    }
    return all;
  }

  private async *readAgain({ tx, job, reader }: ImportRun): AsyncGenerator<ReadRecord> {
    for await (const batch of job.file.batches()) {
      const read = this.steps.map(tx.workspace_id, batch, (record) => ({ record, row: reader.read(record) }));
      for await (const rows of read) yield* rows;
    }
  }
}

function columnsOfFile({ job, mapping }: ImportRun): ColumnOf {
  const positions = new Map<string, number>(mapping.fields);
  return (field) => job.file.columns[positions.get(field) ?? -1] ?? null;
}

/** In the next attempt, the rows whose external ID is taken are refused alone. @throws ExternalIdTaken after five attempts */
async function repeatWhileTaken<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ExternalIdTaken) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
