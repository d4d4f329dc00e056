import type { Log } from '@outreach/logging';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ImportTaken } from './import.errors.js';
import { renewImport } from './import-leases.queries.js';

const INTERVAL_MS = 500;

/**
 * While a worker imports a file, writes the progress beside the transaction of the import, so that it is visible, and
 * renews the lease. Aborts the signal if the import was cancelled or is another worker's.
 */
export class ImportHeartbeat {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private beat: Promise<void> | undefined;
  private progress = 0;
  private hasStopped = false;

  constructor(
    private readonly scope: WorkspaceScope,
    private readonly id: number,
    private readonly log: Log,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Begins at once. Further calls have no effect. */
  start(): void {
    this.beat ??= this.run();
  }

  /** @throws the reason of the signal, because COPY, which reads the file, is not cancelled by it */
  show(progress: number): void {
    this.signal.throwIfAborted();
    this.progress = progress;
  }

  abort(reason: Error): void {
    this.controller.abort(reason);
  }

  /** Waits for a statement that is running. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    clearTimeout(this.timer);
    await this.beat;
  }

  /** Never rejects: the next beat repeats what fails. */
  private async run(): Promise<void> {
    try {
      if (!(await renewImport(this.scope, this.id, this.progress))) this.abort(new ImportTaken());
    } catch (error) {
      this.log.warn('cannot show the progress of an import', { error });
    }
    const again = (): void => {
      this.beat = this.run();
    };
    if (!this.hasStopped) this.timer = setTimeout(again, INTERVAL_MS);
  }
}
