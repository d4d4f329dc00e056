import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../platform/errors/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { ReceivedFile } from '../../platform/http/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Semaphore } from '../../platform/concurrency/index.js';
import type { CustomFieldType } from '../custom-fields/custom-field.entity.js';
import { lockTypes } from '../custom-fields/custom-fields.queries.js';
import { CustomFields } from '../custom-fields/custom-fields.service.js';
import { List } from '../lists/list.entity.js';
import { Tag } from '../tags/tag.entity.js';
import { lockImports, CHANGED, copyRows, CREATED, createTables, removeUnused } from './contact-import.queries.js';
import { type CsvFile, openCsv } from './csv/csv-file.js';
import { NotCsv } from './csv/not-csv.js';
import type { ImportContactsDto } from './dto/import-contacts.dto.js';
import { type ImportSummary, ImportTally } from './import-tally.js';
import { type Mapping, readMapping } from './mapping.js';
import { columnsOf, mergeRows } from './merge.js';
import { RowReader } from './row-reader.js';

/** Each holds one of the process's connections for seconds; the requests of others need the rest. */
const MAX_CONCURRENT = 3;

/** Characters of rows, about ten times what an honest file of the largest size makes. */
const MAX_STAGED_CHARACTERS = 100_000_000;

/**
 * Brings contacts in from a CSV (API v1, "Import"). The good rows stream into a temporary table and are merged from
 * there, one statement for all of them. Everything stands in one transaction: it is there as a whole or not at all.
 */
@Injectable()
export class ContactImport {
  private readonly semaphore = new Semaphore(MAX_CONCURRENT);

  constructor(
    private readonly customFields: CustomFields,
    private readonly events: DomainEvents,
  ) {}

  /** @throws ValidationFailed naming `file`, `mapping.<field>`, `lists.<n>` or `tags.<n>`; then nothing is imported */
  async run(scope: WorkspaceScope, upload: ReceivedFile, dto: ImportContactsDto): Promise<ImportSummary> {
    const file = await openCsv(upload.path);
    const { mapping, errors: mappingErrors } = readMapping(file, dto.mapping);
    const errors = {
      ...mappingErrors,
      ...(await scope.missingRecordErrors(List, dto.lists, (index) => `lists.${index}`)),
      ...(await scope.missingRecordErrors(Tag, dto.tags, (index) => `tags.${index}`)),
    };
    if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
    return this.semaphore.run(() => scope.transaction((tx) => this.import(tx, file, mapping, dto)));
  }

  /** Starts over after a deadlock: reads the file anew and counts from nothing. */
  private async import(
    tx: WorkspaceScope,
    file: CsvFile,
    mapping: Mapping,
    dto: ImportContactsDto,
  ): Promise<ImportSummary> {
    await lockImports(tx);
    const columns = columnsOf(mapping);
    const tally = new ImportTally();
    const { types, added } = await this.define(tx, [...mapping.customFields.keys()]);
    await createTables(tx, columns);
    await copyRows(tx, columns, validRows(file, new RowReader(mapping, types), tally));
    const { created, changed } = await mergeRows(tx, columns, dto, tally);
    await removeUnused(tx, added);
    if (created > 0) await this.events.publish(tx, 'contact.created', { contacts: CREATED });
    if (changed > 0) await this.events.publish(tx, 'contact.updated', { contacts: CHANGED });
    return tally.summary(created, dto.skip_duplicates ? 'skipped' : 'updated');
  }

  /** Cells of a field that the workspace does not have make it a text; those that no cell fills are taken back later. */
  private async define(
    tx: WorkspaceScope,
    keys: readonly string[],
  ): Promise<{ types: ReadonlyMap<string, CustomFieldType>; added: readonly string[] }> {
    const known = await lockTypes(tx, keys);
    const added = keys.filter((key) => !known.has(key));
    const types = await this.customFields.define(tx, new Map(keys.map((key) => [key, known.get(key) ?? 'text'])));
    return { types, added };
  }
}

/**
 * Those of the file's rows that are in order, for COPY; the others are counted.
 * @throws NotCsv where a mapping of one column to many fields makes a small file a huge one
 */
async function* validRows(file: CsvFile, reader: RowReader, tally: ImportTally): AsyncGenerator<string> {
  let length = 0;
  for await (const batch of file.batches()) {
    let lines = '';
    for (const record of batch) {
      const read = reader.read(record);
      if (typeof read === 'string') lines += read;
      else tally.addErrors([read]);
    }
    tally.addRows(batch.length);
    length += lines.length;
    if (length > MAX_STAGED_CHARACTERS) throw new NotCsv('The fields that the mapping makes of the file are too many.');
    yield lines;
  }
}
