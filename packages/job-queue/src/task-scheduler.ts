import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap, SetMetadata } from '@nestjs/common';
import { DecoratedMethods } from '@outreach/decorated-methods';
import { Log, withLogFields } from '@outreach/logging';
import { type Sql, sql } from '@outreach/sql-fragments';
import { DueWorkHost } from './due-work-host.js';
import { NodeUnavailable, TenantDatabase } from '@outreach/database';

const SCHEDULE = Symbol('schedule');
const POLL_INTERVAL_MS = 1_000;
/** A task that is due so soon runs now, because the next poll would be late for it. */
const EARLY_MS = POLL_INTERVAL_MS / 4;
const SOON = sql`${sql.realNow} + make_interval(secs => ${EARLY_MS / 1_000})`;

interface Schedule {
  readonly name: string | ((provider: never) => string | undefined);
  readonly seconds: number;
  readonly condition: Sql | undefined;
}

interface RegisteredTask {
  readonly seconds: number;
  readonly condition: Sql | undefined;
  run(): Promise<unknown>;
}

/**
 * Runs a provider's method about every `seconds`, in one process of the cluster at a time. Only workers do this.
 * @param name identifies the task in the table `scheduled_tasks`; it is unique and does not depend on the names of
 *   class and method. A base class derives it from the provider. Without one, because a setting says so, the method never runs,
 *   and runs at once after a start with another setting.
 * @param condition whether there is something to do, as an SQL condition that costs an index lookup; a task that is due
 *   waits for it. Without it, the method runs each time.
 */
export const Scheduled = <Provider>(
  name: string | ((provider: Provider) => string | undefined),
  seconds: number,
  condition?: Sql,
): MethodDecorator => SetMetadata(SCHEDULE, { name, seconds, condition } satisfies Schedule);

/**
 * Runs scheduled tasks once per cluster. The time of the next run is stored in PostgreSQL, so a task survives a lost
 * queue and a dead process. The process that moves the time forward runs the task.
 */
@Injectable()
export class TaskScheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks = new Map<string, RegisteredTask>();
  private readonly running = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> = Promise.resolve();

  constructor(
    private readonly methods: DecoratedMethods,
    private readonly host: DueWorkHost,
    private readonly database: TenantDatabase,
    private readonly log: Log,
  ) {}

  /** @throws Error when two tasks have the same name */
  async onApplicationBootstrap(): Promise<void> {
    this.registerTasks();
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

  /** Starts each task that is due and not still running in this process. The next poll repeats what fails. */
  private async poll(): Promise<void> {
    const idleNames = [...this.tasks.keys()].filter((name) => !this.running.has(name)).sort();
    try {
      const claimed = await this.claimDue(idleNames);
      if (claimed.length > 0) await this.host.refresh();
      for (const name of claimed) this.start(name);
    } catch (error) {
      this.log.warn('cannot read which scheduled tasks are due', { error });
    }
  }

  private async claimDue(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const condition = this.database.isDistributed ? sql`TRUE` : this.conditionOf(names);
    const seconds = names.map((name) => this.tasks.get(name)?.seconds);
    const claimed = await this.database.query<{ name: string }>(
      sql`UPDATE scheduled_tasks task SET next_run_at = ${sql.realNow} + make_interval(secs => claimed.seconds)
          FROM (
            SELECT due.name, wanted.seconds FROM scheduled_tasks due
            JOIN unnest(${[...names]}::text[], ${seconds}::float8[]) AS wanted (name, seconds) USING (name)
            WHERE due.next_run_at <= ${SOON}
              AND ${condition}
            FOR UPDATE OF due SKIP LOCKED
          ) claimed WHERE task.name = claimed.name RETURNING task.name`,
    );
    return claimed.map((task) => task.name);
  }

  /**
   * The conditions read tables on several nodes, and the tasks are on the coordinator, so there the worker that has claimed a
   * task checks its condition. If there is nothing to do, a worker checks it again after a second, as on one server.
   */
  private async hasWork(name: string): Promise<boolean> {
    const { condition } = this.tasks.get(name) ?? {};
    if (!condition || !this.database.isDistributed) return true;
    if (await this.mayHold(condition)) return true;
    await this.database.execute(
      sql`UPDATE scheduled_tasks SET next_run_at = ${sql.realNow} + make_interval(secs => ${POLL_INTERVAL_MS / 1_000})
          WHERE name = ${name}`,
    );
    return false;
  }

  /** While a node is away, the task finds out for itself. The others must not wait for it. */
  private async mayHold(condition: Sql): Promise<boolean> {
    try {
      const [row] = await this.database.query<{ is_due: boolean }>(sql`SELECT ${condition} AS is_due`);
      return row?.is_due !== false;
    } catch (error) {
      if (error instanceof NodeUnavailable) return true;
      throw error;
    }
  }

  /** @returns the condition that `due` has something to do */
  private conditionOf(names: readonly string[]): Sql {
    const conditions = names.flatMap((name) => {
      const { condition } = this.tasks.get(name) ?? {};
      return condition ? [sql`WHEN ${name} THEN (${condition})`] : [];
    });
    return conditions.length === 0 ? sql`TRUE` : sql`CASE due.name ${sql.join(conditions, ' ')} ELSE TRUE END`;
  }

  private start(name: string): void {
    const work = withLogFields({ task: name }, async () => {
      try {
        if (await this.hasWork(name)) await this.tasks.get(name)?.run();
      } catch (error) {
        this.log.error('a scheduled task failed', { error });
      } finally {
        this.running.delete(name);
      }
    });
    this.running.set(name, work);
  }

  private registerTasks(): void {
    for (const { metadata, provider, call } of this.methods.withMetadata<Schedule>(SCHEDULE)) {
      const name = typeof metadata.name === 'string' ? metadata.name : metadata.name(provider as never);
      if (name === undefined) continue;
      if (this.tasks.has(name)) throw new Error(`Two scheduled tasks are named ${name}.`);
      const { seconds, condition } = metadata;
      this.tasks.set(name, { seconds, condition, run: async () => call() });
    }
  }
}
