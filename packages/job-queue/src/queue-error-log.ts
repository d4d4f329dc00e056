import type { Log } from '@outreach/logging';

const INTERVAL_MS = 10_000;
const MAX_ERRORS = 100;

/** An error that was logged, and how often it has occurred since. */
interface LoggedError {
  readonly at: number;
  repeated: number;
}

/**
 * Logs the errors of the connections of queues, the same one once in ten seconds: while the database or Redis is away, each
 * queue reports its error many times a second.
 */
export class QueueErrorLog {
  private readonly logged = new Map<string, LoggedError>();

  /** @param now the time in milliseconds */
  constructor(
    private readonly log: Pick<Log, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The line has the number of equal errors since the last one, as `repeated`. */
  report(queue: string, error: Error): void {
    const key = `${queue} ${error.message}`;
    const last = this.logged.get(key);
    if (last && this.now() - last.at < INTERVAL_MS) {
      last.repeated += 1;
      return;
    }
    if (this.logged.size >= MAX_ERRORS) this.logged.clear();
    this.logged.set(key, { at: this.now(), repeated: 0 });
    this.log.warn('the queue has an error', { queue, error, ...(last && { repeated: last.repeated }) });
  }
}
