import { Injectable, type StreamableFile } from '@nestjs/common';
import { BackgroundSteps, KeyActivity } from '@outreach/concurrency';
import { BYTE_ORDER_MARK, csvText } from '@outreach/csv-text';
import type { Sql } from '../database/index.js';
import { StreamedFiles } from '../streams/index.js';
import type { ListQuery, ScopedRepository, WorkspaceEntity, WorkspaceScope } from '../tenancy/index.js';

/** Records read by one statement. The main thread parses their rows at a stretch, and one contact may have 64 KB. */
const BATCH = 100;

/** Records whose IDs are read by one statement, which may test the filters on all records and sort them. */
const ID_BATCH = 10_000;

/** The records of a list as a CSV file. */
export interface CsvExport<Row> {
  readonly fileName: string;
  /** The names of the columns. */
  readonly header: readonly string[];
  /** Returns the cells of a record in the order of the header. */
  readonly toCells: (row: Row) => readonly string[];
  /** Whether the file begins with a byte order mark. */
  readonly bom?: boolean;
}

/** The records of a list, and the repository that reads them. */
export interface ExportedList<T extends WorkspaceEntity, Extra extends object> {
  readonly records: ScopedRepository<T, Extra>;
  readonly query: ListQuery;
  /** Conditions on `record` in addition to those of the query. */
  readonly within?: readonly Sql[];
}

/** Streams CSV files to clients, within the limits of {@link StreamedFiles}. */
@Injectable()
export class CsvExports {
  private readonly reads: BackgroundSteps;

  constructor(
    private readonly files: StreamedFiles,
    private readonly steps: BackgroundSteps,
    activity: KeyActivity,
  ) {
    this.reads = new BackgroundSteps(activity);
  }

  /**
   * A CSV of all records of a list, in its order. Reads only as fast as the client downloads; no database connection is in
   * use while it waits for the client. A record that no longer meets the filters when it is read is left out.
   * @throws Busy if too many files are open
   */
  openList<T extends WorkspaceEntity, Extra extends object>(
    scope: WorkspaceScope,
    list: ExportedList<T, Extra>,
    file: CsvExport<T & Extra>,
  ): Promise<StreamableFile> {
    return this.open(scope, file.fileName, this.textOf(scope, list, file));
  }

  /**
   * A CSV whose text is yielded in parts.
   * @throws Busy if too many files are open
   */
  open(scope: WorkspaceScope, fileName: string, text: AsyncIterable<string>): Promise<StreamableFile> {
    return this.files.open(scope, { fileName, type: 'text/csv; charset=utf-8' }, text);
  }

  private async *textOf<T extends WorkspaceEntity, Extra extends object>(
    scope: WorkspaceScope,
    list: ExportedList<T, Extra>,
    { header, toCells, bom }: CsvExport<T & Extra>,
  ): AsyncGenerator<string> {
    yield `${bom ? BYTE_ORDER_MARK : ''}${csvText([header])}`;
    for await (const records of this.batches(scope, list)) {
      for await (const rows of this.steps.map(scope.workspace_id, records, toCells)) yield csvText(rows);
    }
  }

  private async *batches<T extends WorkspaceEntity, Extra extends object>(
    scope: WorkspaceScope,
    { records, query, within = [] }: ExportedList<T, Extra>,
  ): AsyncGenerator<(T & Extra)[]> {
    for await (const ids of records.idBatches(query, ID_BATCH, within)) {
      for (let start = 0; start < ids.length; start += BATCH) {
        const batch = ids.slice(start, start + BATCH);
        yield await this.reads.run(scope.workspace_id, () => records.findListed(query, batch, within));
      }
    }
  }
}
