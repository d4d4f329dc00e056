import { join } from 'node:path';
import { Processor } from '@nestjs/bullmq';
import { Log } from '@outreach/logging';
import { drainOptions, type JobKey, JobQueue } from '@outreach/job-queue';
import { TemporaryFolderUnusable, withTemporaryFolder } from '@outreach/temporary-files';
import { DomainError, ValidationFailed } from '@outreach/http-errors';
import { Database, type Sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { DrainProcessor } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ContactImport } from '../import/contact-import.service.js';
import { openContactFile } from '../import/file-errors.js';
import { MAX_CONCURRENT_IMPORTS } from '../import/import-places.js';
import { DueImports } from './due-imports.cross-tenant.js';
import { ImportHeartbeat } from './import-heartbeat.js';
import { type LeasedImport, leaseImport, nextImport, releaseImport } from './import-leases.queries.js';
import { completeImport, failImport } from './import-results.queries.js';
import { ImportTaken } from './import.errors.js';
import { IMPORTING } from './queues.js';
import { loadFile } from './stored-file.queries.js';

/** A worker that dies begins an import anew, once. */
const MAX_ATTEMPTS = 2;
const DIED_TWICE =
  'The import was interrupted twice, because its worker or the database stopped. Nothing of it was stored.';

/** How long an import waits for a place. Then it leaves the place in this process to other workspaces for a while. */
const MAX_WAIT_MS = 5_000;

/** How long an import may continue after the worker was asked to stop. It has to end within half a minute. */
const STOP_AFTER_MS = 20_000;

/** The worker stops: the import begins anew elsewhere. */
class WorkerStops extends Error {}

/** The import got no place in time, or before the worker was asked to stop. */
class WaitEnded extends Error {}

/** Imports the stored files, one at a time of each workspace. */
@Processor(IMPORTING, drainOptions(10))
export class ImportProcessor extends DrainProcessor {
  constructor(
    private readonly due: DueImports,
    private readonly engine: ContactImport,
    database: Database,
    jobQueue: JobQueue,
    log: Log,
  ) {
    super(IMPORTING, MAX_CONCURRENT_IMPORTS, { database, jobQueue, log });
  }

  protected override dueKeys(workspaces: WorkspacesInTime): Sql {
    return this.due.keys(workspaces);
  }

  protected override untouchedKeys(): Promise<readonly JobKey[]> {
    return this.due.untouched.find();
  }

  protected override async drain(scope: WorkspaceScope, id: number, stopping: AbortSignal): Promise<'done'> {
    const leased = await leaseImport(scope, id);
    if (!leased) return 'done';
    if (leased.attempts > MAX_ATTEMPTS) await failImport(scope, id, DIED_TWICE);
    else await this.attempt(scope, id, leased, stopping);
    const next = await nextImport(scope);
    if (next !== undefined && next !== id)
      this.dependencies.jobQueue.enqueue(IMPORTING, [{ workspace_id: scope.workspace_id, id: next }]);
    return 'done';
  }

  /** After an unexpected error, such as one of the database, the lease expires, and a worker begins the import anew. */
  private async attempt(scope: WorkspaceScope, id: number, leased: LeasedImport, stopping: AbortSignal): Promise<void> {
    const heartbeat = new ImportHeartbeat(scope, id, this.dependencies.log);
    const endStop = afterStop(stopping, () => heartbeat.abort(new WorkerStops()));
    try {
      await this.import({ scope, id, leased, heartbeat, stopping });
    } catch (thrown) {
      await heartbeat.stop();
      const error: unknown = heartbeat.signal.aborted ? heartbeat.signal.reason : thrown;
      if (error instanceof ImportTaken) return;
      if (error instanceof WorkerStops || error instanceof WaitEnded) return await releaseImport(scope, id);
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      if (error instanceof TemporaryFolderUnusable)
        this.dependencies.log.error('an import failed', { import_id: id, error });
      await failImport(scope, id, reason);
    } finally {
      endStop();
      await heartbeat.stop();
    }
  }

  private async import({ scope, id, leased, heartbeat, stopping }: ImportAttempt): Promise<void> {
    await withTemporaryFolder('outreach-import', async (folder) => {
      const path = join(folder, 'file');
      await loadFile(scope, id, path, leased.file_bytes);
      const file = await openContactFile(path);
      // A slow database delays the file each time, so the wait begins after it.
      const waiting = AbortSignal.any([stopping, AbortSignal.timeout(MAX_WAIT_MS)]);
      let hasPlace = false;
      const job = {
        file,
        options: leased.options,
        waiting,
        isNext: leased.is_next,
        onStart: () => {
          hasPlace = true;
          heartbeat.start();
        },
        onProgress: (progress: number) => heartbeat.show(progress),
      };
      await this.engine
        .run(scope.cancelledBy(heartbeat.signal), job, (tx, outcome) => completeImport(tx, id, outcome))
        .catch((error: unknown) => {
          throw !hasPlace && waiting.aborted ? new WaitEnded() : error;
        });
    });
  }
}

/** What one attempt of this worker needs. */
interface ImportAttempt {
  readonly scope: WorkspaceScope;
  readonly id: number;
  readonly leased: LeasedImport;
  readonly heartbeat: ImportHeartbeat;
  readonly stopping: AbortSignal;
}

/** Calls `act` some time after the signal. @returns what prevents it */
function afterStop(stopping: AbortSignal, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    timer = setTimeout(act, STOP_AFTER_MS);
  };
  stopping.addEventListener('abort', wait, { once: true });
  return () => {
    stopping.removeEventListener('abort', wait);
    clearTimeout(timer);
  };
}

/** Why an import failed as a whole; undefined if another attempt may succeed. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof TemporaryFolderUnusable)
    return (
      `The worker could not store the file: its folder for temporary files cannot be used (${error.code}). ` +
      'Nothing was imported.'
    );
  if (error instanceof ValidationFailed) return Object.values(error.errors).flat().join(' ');
  return error instanceof DomainError && error.status < 500 && error.status !== 429 ? error.message : undefined;
}
