import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap, SetMetadata } from '@nestjs/common';
import { Database, sql } from '../database/index.js';
import { DecoratedMethods } from '../discovery/index.js';
import { Log, withLogFields } from '../logging/index.js';

const SCHEDULE = Symbol('schedule');
const POLL_INTERVAL_MS = 500;

/** A method of a worker's provider that runs about every `seconds`, in one process of all. */
export const Scheduled = (seconds: number): MethodDecorator => SetMetadata(SCHEDULE, seconds);

interface RegisteredTask {
  readonly seconds: number;
  run(): Promise<unknown>;
}

/**
 * Runs recurring work once per cluster. When it is due stands in PostgreSQL, so neither a lost queue nor a dead
 * process can stop it; whoever moves the date forward runs it.
 */
@Injectable()
export class TaskScheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks = new Map<string, RegisteredTask>();
  private readonly running = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> = Promise.resolve();

  constructor(
    private readonly methods: DecoratedMethods,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.findTasks();
    const names = [...this.tasks.keys()].sort();
    await this.database.execute(
      sql`INSERT INTO scheduled_tasks (name) SELECT unnest(${names}::text[]) ON CONFLICT (name) DO NOTHING`,
    );
    this.timer = setInterval(() => {
      this.polling = this.poll();
    }, POLL_INTERVAL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.polling;
    await Promise.all(this.running.values());
  }

  /** Starts what is due and not still running here. The next look comes soon, so a failure is only logged. */
  private async poll(): Promise<void> {
    const idleNames = [...this.tasks.keys()].filter((name) => !this.running.has(name)).sort();
    try {
      for (const name of await this.claimDue(idleNames)) this.start(name);
    } catch (error) {
      this.log.warn('recurring work could not be looked up', { error });
    }
  }

  private async claimDue(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const seconds = names.map((name) => this.tasks.get(name)?.seconds);
    const claimed = await this.database.query<{ name: string }>(
      sql`UPDATE scheduled_tasks task SET next_run_at = now() + make_interval(secs => claimed.seconds)
          FROM (
            SELECT due.name, wanted.seconds FROM scheduled_tasks due
            JOIN unnest(${[...names]}::text[], ${seconds}::float8[]) AS wanted (name, seconds) USING (name)
            WHERE due.next_run_at <= now() FOR UPDATE OF due SKIP LOCKED
          ) claimed WHERE task.name = claimed.name RETURNING task.name`,
    );
    return claimed.map((task) => task.name);
  }

  private start(name: string): void {
    const work = withLogFields({ task: name }, async () => {
      try {
        await this.tasks.get(name)?.run();
      } catch (error) {
        this.log.error('recurring work failed', { error });
      } finally {
        this.running.delete(name);
      }
    });
    this.running.set(name, work);
  }

  private findTasks(): void {
    for (const { metadata, name, call } of this.methods.withMetadata<number>(SCHEDULE)) {
      this.tasks.set(name, { seconds: metadata, run: async () => call() });
    }
  }
}
