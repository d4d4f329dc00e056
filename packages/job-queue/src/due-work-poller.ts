import { Injectable, SetMetadata } from '@nestjs/common';
import { type DecoratedMethod, DecoratedMethods } from '@outreach/decorated-methods';
import { Log } from '@outreach/logging';
import { type Sql, sql } from '@outreach/sql-fragments';
import { TenantDatabase } from '@outreach/database';
import { DueWorkHost, type JobKey, type PollRange } from './due-work-host.js';
import { Scheduled } from './task-scheduler.js';
import { isOnlyWorker as onlyWorkerCondition } from './worker-session.js';

const DUE_WORK = Symbol('due work');
/** The name of the scheduled task that polls for due work. */
export const POLL_TASK = 'find-due-work';
const POLL_INTERVAL_SECONDS = 1;

/** What is due of one kind of work, of all tenants. */
export interface DuePoll {
  /**
   * SELECT of the columns of keys, whose cost does not depend on how much work waits.
   * @param range which rows it reads
   */
  readonly keys: (range: PollRange) => Sql;
  /**
   * Is called with what was found, in the order of the statement, unless nothing was.
   * @param isOnlyWorker no other process could do the work
   */
  found(keys: readonly JobKey[], isOnlyWorker: boolean): Promise<void>;
  /**
   * Does the work in this process, and resolves when nothing of it is left to do now; by default {@link found}.
   * @returns for how many keys that succeeded
   */
  readonly run?: ((keys: readonly JobKey[]) => Promise<number>) | undefined;
}

/** Polls what a provider's method describes, every second: `() => DuePoll`. Only workers poll. */
export const PollsDueWork = (): MethodDecorator => SetMetadata(DUE_WORK, true);

/** Finds the due work of all kinds in one statement, every second in one process of the installation. */
@Injectable()
export class DueWorkPoller {
  private readonly database: TenantDatabase;
  private described: readonly DecoratedMethod<true>[] | undefined;

  constructor(
    private readonly methods: DecoratedMethods,
    private readonly host: DueWorkHost,
    database: TenantDatabase,
    private readonly log: Log,
  ) {
    this.database = database.withoutTimeLimits();
  }

  @Scheduled(POLL_TASK, POLL_INTERVAL_SECONDS)
  async poll(): Promise<void> {
    const polls = this.polls();
    const found: FoundKeys[] = [];
    // Separate statements, so that a usual range costs what it costs without the others.
    for (const range of this.host.ranges())
      found.push(await this.database.onReachableNodes((within) => this.find(polls, this.host.narrowed(range, within))));
    const isOnlyWorker = found.some((each) => each.is_only_worker);
    const handled = polls.map((poll, index) =>
      this.handle(poll, this.distinct(found.flatMap(({ keys }) => keys[index] ?? [])), isOnlyWorker),
    );
    await Promise.all(handled);
  }

  /**
   * Does what is due in a range, such as one tenant, in this process.
   * @returns for how many keys it was done without an error
   */
  async runDue(range: PollRange): Promise<number> {
    const polls = this.polls();
    const { keys } = await this.find(polls, range);
    const done = await Promise.all(polls.map((poll, index) => this.runKeys(poll, keys[index] ?? [])));
    return done.reduce((sum, count) => sum + count, 0);
  }

  private polls(): DuePoll[] {
    this.described ??= this.methods.withMetadata(DUE_WORK);
    return this.described.map(({ call }) => call() as DuePoll);
  }

  private async find(polls: readonly DuePoll[], range: PollRange): Promise<FoundKeys> {
    if (this.database.isDistributed) return this.findByKind(polls, range);
    const [found] = await this.database.query<FoundKeys & Record<string, unknown>>(
      sql`SELECT json_build_array(${sql.join(polls.map((poll) => arrayOf(poll.keys(range))))}) AS keys,
            ${onlyWorkerCondition} AS is_only_worker`,
    );
    return found ?? { keys: [], is_only_worker: false };
  }

  /** An engine of several nodes reads one kind of work in a statement. */
  private async findByKind(polls: readonly DuePoll[], range: PollRange): Promise<FoundKeys> {
    const [workers] = await this.database.query<{ is_only_worker: boolean }>(
      sql`SELECT ${onlyWorkerCondition} AS is_only_worker`,
    );
    const keys: (readonly JobKey[])[] = [];
    for (const poll of polls) keys.push(await this.database.query<JobKey & Record<string, unknown>>(poll.keys(range)));
    return { keys, is_only_worker: workers?.is_only_worker ?? false };
  }

  /** An error does not affect the other kinds of work. The next poll finds the work again. */
  private async handle(poll: DuePoll, keys: readonly JobKey[], isOnlyWorker: boolean): Promise<void> {
    try {
      if (keys.length > 0) await poll.found(keys, isOnlyWorker);
    } catch (error) {
      this.log.error('due work could not be started', { error });
    }
  }

  private async runKeys(poll: DuePoll, keys: readonly JobKey[]): Promise<number> {
    if (poll.run && keys.length > 0) return poll.run(keys);
    await this.handle(poll, keys, true);
    return 0;
  }

  private distinct(keys: readonly JobKey[]): JobKey[] {
    return [...new Map(keys.map((key) => [this.host.idOf(key), key])).values()];
  }
}

/** What each of the polls has found. */
interface FoundKeys {
  readonly keys: readonly (readonly JobKey[])[];
  readonly is_only_worker: boolean;
}

const arrayOf = (keys: Sql): Sql => sql`(SELECT coalesce(json_agg(due), '[]') FROM (${keys}) due)`;
