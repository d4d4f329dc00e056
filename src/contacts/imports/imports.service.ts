import { Injectable, type StreamableFile } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import { BYTE_ORDER_MARK, csvText } from '@outreach/csv-text';
import { CsvExports } from '../../platform/csv/index.js';
import type { ReceivedFile } from '@outreach/http-api/requests';
import { Accepted } from '@outreach/http-api/responses';
import type { Page, WorkspaceScope } from '../../platform/tenancy/index.js';
import { ContactImport } from '../import/contact-import.service.js';
import { uploadedCsv } from '../import/file-errors.js';
import type { ImportOptions } from '../import/import-options.js';
import type { ImportSummary } from '../import/import-tally.js';
import type { ImportListQuery } from './import-list.query.js';
import { cancelImport, recordImport } from './import-results.queries.js';
import { Import, OPEN_STATUSES } from './import.entity.js';
import { ImportEnded, ImportNotEnded, RefusedRowsDeleted } from './import.errors.js';
import { IMPORTING } from './queues.js';
import { refusedParts, refusedSize } from './refused-rows.queries.js';
import { assertRoom, storeFile } from './stored-file.queries.js';

/** The first line of the refused rows of an import whose file was not read. */
const NO_COLUMNS = csvText([['row', 'column', 'reason']]);

/** Imports of contacts as records: within a request or by a worker. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly engine: ContactImport,
    private readonly exports: CsvExports,
    private readonly jobQueue: JobQueue,
  ) {}

  /**
   * Imports a file while the client waits.
   * @param waiting ends an import that has not started yet
   * @throws ValidationFailed on `file` if a row cannot be read; LimitReached; then nothing is imported
   */
  async run(
    scope: WorkspaceScope,
    upload: ReceivedFile,
    options: ImportOptions,
    waiting: AbortSignal,
  ): Promise<{ readonly import_id: number } & ImportSummary> {
    const file = await uploadedCsv(upload);
    // Its work grows with the file and the workspace, and it would be lost if it waited too long for a lock.
    return this.engine.run(scope.withoutTimeLimits(), { file, options, waiting }, async (tx, outcome) => {
      const stored = { file_name: upload.name, dry_run: options.dry_run };
      return { import_id: await recordImport(tx, stored, outcome), ...outcome.summary };
    });
  }

  /** Stores a file for a worker. @throws Busy if too many imports of the workspace are waiting */
  async accept(scope: WorkspaceScope, upload: ReceivedFile, options: ImportOptions): Promise<Accepted<Import>> {
    const { mapping, skip_duplicates, status, lists, tags, dry_run } = options;
    const record = await scope.transaction(async (tx) => {
      await assertRoom(tx, upload.size);
      const pending = await tx.of(Import).insert({
        status: 'pending',
        file_name: upload.name,
        dry_run,
        file_bytes: upload.size,
        options: {
          ...(mapping ? { mapping } : {}),
          ...(status ? { status } : {}),
          skip_duplicates,
          lists,
          tags,
          dry_run,
        },
      });
      await storeFile(tx, pending.id, upload.path);
      return pending;
    });
    const key = { workspace_id: scope.workspace_id, id: record.id };
    scope.afterCommit(() => this.jobQueue.enqueue(IMPORTING, [key]));
    return new Accepted(record);
  }

  list(scope: WorkspaceScope, query: ImportListQuery): Promise<Page<Import>> {
    return scope.of(Import).page(query);
  }

  /** Nothing of a cancelled import is stored, and its worker ends it within about a second. @throws ImportEnded */
  async cancel(scope: WorkspaceScope, { id }: Import): Promise<Import> {
    if (!(await cancelImport(scope, id))) throw new ImportEnded();
    return scope.of(Import).get(id);
  }

  /**
   * A CSV of the rows that were not imported: the columns of the file, then the number of the row, the column and the
   * reason.
   * @throws ImportNotEnded; RefusedRowsDeleted; Busy if the workspace has too many open exports
   */
  async refused(scope: WorkspaceScope, { id, status, failed }: Import, hasMark: boolean): Promise<StreamableFile> {
    if (OPEN_STATUSES.some((open) => open === status)) throw new ImportNotEnded();
    const { header, length } = await refusedSize(scope, id);
    if (failed > 0 && length === 0) throw new RefusedRowsDeleted();
    async function* text(): AsyncGenerator<string> {
      yield `${hasMark ? BYTE_ORDER_MARK : ''}${header ?? NO_COLUMNS}`;
      yield* refusedParts(scope, id);
    }
    return this.exports.open(scope, `import-${id}-refused.csv`, text());
  }
}
