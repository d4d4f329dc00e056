import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../../platform/events/index.js';
import type { ReceivedFile } from '../../platform/http/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { BackgroundSteps, FairQueue } from '../../platform/concurrency/index.js';
import { ContactAddresses } from '../contact-addresses.js';
import type { CustomFieldType } from '../custom-fields/custom-field.entity.js';
import { lockTypes } from '../custom-fields/custom-fields.queries.js';
import { CustomFields } from '../custom-fields/custom-fields.service.js';
import { CHANGED, copyRows, CREATED, createTables, removeUnused } from './contact-import.queries.js';
import type { CsvFile } from './csv/csv-file.js';
import { NotCsv } from './csv/not-csv.js';
import type { ImportContactsDto } from './dto/import-contacts.dto.js';
import { uploadedCsv } from './file-errors.js';
import { inImportPlace } from './import-places.js';
import { type ImportSummary, ImportTally } from './import-tally.js';
import { type Mapping, readMapping } from './mapping.js';
import { columnsOf, mergeRows } from './merge.js';
import { RowReader } from './row-reader.js';

/** Imports of a workspace wait for each other in this process first, so that only one of them polls for a place. */
const LIMITS = { concurrency: Number.POSITIVE_INFINITY, perKey: 1 };

/** Characters of rows: about ten times what a file of the maximum size normally makes. */
const MAX_STAGED_CHARACTERS = 100_000_000;

/**
 * Imports contacts from CSV (API v1, "Import"). Valid rows are streamed into a temporary table, and a few statements
 * merge them all. An import is one transaction, so a failure leaves nothing behind.
 */
@Injectable()
export class ContactImport {
  private readonly queue = new FairQueue(LIMITS);

  constructor(
    private readonly customFields: CustomFields,
    private readonly events: DomainEvents,
    private readonly addresses: ContactAddresses,
    private readonly steps: BackgroundSteps,
  ) {}

  /**
   * @param signal ends an import that has not started yet
   * @throws NotCsv if a row cannot be read; LimitReached; then nothing is imported
   */
  async run(
    scope: WorkspaceScope,
    upload: ReceivedFile,
    dto: ImportContactsDto,
    signal: AbortSignal,
  ): Promise<ImportSummary> {
    const file = await uploadedCsv(upload);
    const { mapping } = readMapping(file, dto.mapping);
    const isNext = this.queue.size(scope.workspace_id) > 0;
    const work = (tx: WorkspaceScope) => this.import(tx, file, mapping, dto);
    // Its work grows with the file and the workspace, and it would be lost if it waited too long for a lock.
    const unlimited = scope.withoutTimeLimits();
    return this.queue.run(scope.workspace_id, () => inImportPlace(unlimited, isNext, work, signal), signal);
  }

  /** Runs again after a deadlock, so it reads the file and counts from the start. */
  private async import(
    tx: WorkspaceScope,
    file: CsvFile,
    mapping: Mapping,
    dto: ImportContactsDto,
  ): Promise<ImportSummary> {
    const columns = columnsOf(mapping);
    const tally = new ImportTally();
    const { types, added } = await this.define(tx, [...mapping.customFields.keys()]);
    await createTables(tx, columns);
    await copyRows(tx, columns, this.validRows(tx, file, new RowReader(mapping, types), tally));
    const { created, changed } = await mergeRows(tx, columns, dto, tally);
    await removeUnused(tx, added);
    if (created > 0) await this.addresses.completeNew(tx, CREATED);
    if (changed > 0) await this.events.publish(tx, 'contact.updated', { contacts: CHANGED });
    return tally.summary(created, dto.skip_duplicates ? 'skipped' : 'updated');
  }

  /** Creates missing custom fields with the type `text`. `removeUnused` deletes those that no cell fills. */
  private async define(
    tx: WorkspaceScope,
    keys: readonly string[],
  ): Promise<{ types: ReadonlyMap<string, CustomFieldType>; added: readonly string[] }> {
    const known = await lockTypes(tx, keys);
    const added = keys.filter((key) => !known.has(key));
    const types = await this.customFields.define(tx, new Map(keys.map((key) => [key, known.get(key) ?? 'text'])));
    return { types, added };
  }

  /**
   * The valid rows of the file, for COPY. Adds the others to the tally.
   * @throws NotCsv if the rows are too long in all, which happens when a mapping uses one column for many fields
   */
  private async *validRows(
    tx: WorkspaceScope,
    file: CsvFile,
    reader: RowReader,
    tally: ImportTally,
  ): AsyncGenerator<string> {
    let length = 0;
    for await (const batch of file.batches()) {
      for await (const rows of this.steps.map(tx.workspace_id, batch, (record) => reader.read(record))) {
        const lines = rows.filter((row) => typeof row === 'string').join('');
        tally.addErrors(rows.filter((row) => typeof row !== 'string'));
        tally.addRows(rows.length);
        length += lines.length;
        if (length > MAX_STAGED_CHARACTERS)
          throw new NotCsv('The mapping uses the columns of the file for too many fields.');
        yield lines;
      }
    }
  }
}
