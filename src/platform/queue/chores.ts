import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap, SetMetadata } from '@nestjs/common';
import { Database, sql } from '../database/index.js';
import { MarkedMethods } from '../discovery/index.js';
import { Log, withLogFields } from '../logging/index.js';

const EVERY = Symbol('every');
const LOOK_EVERY_MS = 500;

/** A method of a worker's provider that runs about every `seconds`, in one process of all. */
export const Every = (seconds: number): MethodDecorator => SetMetadata(EVERY, seconds);

interface Task {
  readonly seconds: number;
  run(): Promise<unknown>;
}

/**
 * Runs recurring work once per cluster. When it is due stands in PostgreSQL, so neither a lost queue nor a dead
 * process can stop it; whoever moves the date forward runs it.
 */
@Injectable()
export class Chores implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks = new Map<string, Task>();
  private readonly running = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly methods: MarkedMethods,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.findTasks();
    const names = [...this.tasks.keys()].sort();
    await this.database.execute(
      sql`INSERT INTO chores (name) SELECT unnest(${names}::text[]) ON CONFLICT (name) DO NOTHING`,
    );
    this.timer = setInterval(() => {
      this.looking = this.look();
    }, LOOK_EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
    await Promise.all(this.running.values());
  }

  /** Starts what is due and not still running here. The next look comes soon, so a failure is only logged. */
  private async look(): Promise<void> {
    const idle = [...this.tasks.keys()].filter((name) => !this.running.has(name)).sort();
    try {
      for (const name of await this.take(idle)) this.start(name);
    } catch (error) {
      this.log.warn('recurring work could not be looked up', { error });
    }
  }

  private async take(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const seconds = names.map((name) => this.tasks.get(name)?.seconds);
    const taken = await this.database.query<{ name: string }>(
      sql`UPDATE chores chore SET next_run_at = now() + make_interval(secs => mine.seconds)
          FROM (
            SELECT due.name, wanted.seconds FROM chores due
            JOIN unnest(${[...names]}::text[], ${seconds}::float8[]) AS wanted (name, seconds) USING (name)
            WHERE due.next_run_at <= now() FOR UPDATE OF due SKIP LOCKED
          ) mine WHERE chore.name = mine.name RETURNING chore.name`,
    );
    return taken.map((chore) => chore.name);
  }

  private start(name: string): void {
    const work = withLogFields({ chore: name }, async () => {
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
    for (const { mark, name, call } of this.methods.with<number>(EVERY)) {
      this.tasks.set(name, { seconds: mark, run: async () => call() });
    }
  }
}
