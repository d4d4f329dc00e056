import { Injectable, SetMetadata } from '@nestjs/common';
import { allInRealTime, Database, type Sql, sql, type WorkspacesInTime } from '../database/index.js';
import { type DecoratedMethod, DecoratedMethods } from '../discovery/index.js';
import { Log } from '../logging/index.js';
import { type JobKey, jobIdOf } from './job-queue.js';
import { Scheduled } from './task-scheduler.js';
import { isOnlyWorker as onlyWorkerCondition } from './worker-session.js';

const DUE_WORK = Symbol('due work');
/** The name of the scheduled task that polls for due work. */
export const POLL_TASK = 'find-due-work';
const POLL_INTERVAL_SECONDS = 1;

/** What is due of one kind of work, in all workspaces. */
export interface DuePoll {
  /**
   * SELECT of `workspace_id` and `id`, whose cost does not depend on how much work waits.
   * @param workspaces which workspaces it reads, and their time
   */
  readonly keys: (workspaces: WorkspacesInTime) => Sql;
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
  private readonly database: Database;
  private described: readonly DecoratedMethod<true>[] | undefined;

  constructor(
    private readonly methods: DecoratedMethods,
    database: Database,
    private readonly log: Log,
  ) {
    this.database = database.withoutTimeLimits();
  }

  @Scheduled(POLL_TASK, POLL_INTERVAL_SECONDS)
  async poll(): Promise<void> {
    const polls = this.polls();
    const [found, ahead] = [await this.find(polls, allInRealTime), await this.findAhead(polls)];
    const handled = polls.map((poll, index) =>
      this.handle(poll, distinct([...(found.keys[index] ?? []), ...(ahead[index] ?? [])]), found.is_only_worker),
    );
    await Promise.all(handled);
  }

  /**
   * Does what is due in one workspace, in this process.
   * @param workspace the workspace in its time
   * @returns for how many keys it was done without an error
   */
  async runDue(workspace: WorkspacesInTime): Promise<number> {
    const polls = this.polls();
    const { keys } = await this.find(polls, workspace);
    const done = await Promise.all(polls.map((poll, index) => this.runKeys(poll, keys[index] ?? [])));
    return done.reduce((sum, count) => sum + count, 0);
  }

  private polls(): DuePoll[] {
    this.described ??= this.methods.withMetadata(DUE_WORK);
    return this.described.map(({ call }) => call() as DuePoll);
  }

  private async find(polls: readonly DuePoll[], workspaces: WorkspacesInTime): Promise<FoundKeys> {
    if (this.database.isDistributed) return this.findByKind(polls, workspaces);
    const [found] = await this.database.query<FoundKeys & Record<string, unknown>>(
      sql`SELECT json_build_array(${sql.join(polls.map((poll) => arrayOf(poll.keys(workspaces))))}) AS keys,
            ${onlyWorkerCondition} AS is_only_worker`,
    );
    return found ?? { keys: [], is_only_worker: false };
  }

  /** An engine of several nodes reads one kind of work in a statement. */
  private async findByKind(polls: readonly DuePoll[], workspaces: WorkspacesInTime): Promise<FoundKeys> {
    const [workers] = await this.database.query<{ is_only_worker: boolean }>(
      sql`SELECT ${onlyWorkerCondition} AS is_only_worker`,
    );
    const keys: (readonly JobKey[])[] = [];
    for (const poll of polls) keys.push(await this.database.query<JobKey>(poll.keys(workspaces)));
    return { keys, is_only_worker: workers?.is_only_worker ?? false };
  }

  /** A separate statement, so that workspaces with the real time cost what they cost without the others. */
  private async findAhead(polls: readonly DuePoll[]): Promise<FoundKeys['keys']> {
    const ahead = this.database.workspacesAhead;
    return ahead ? (await this.find(polls, ahead)).keys : [];
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
}

/** What each of the polls has found. */
interface FoundKeys {
  readonly keys: readonly (readonly JobKey[])[];
  readonly is_only_worker: boolean;
}

const distinct = (keys: readonly JobKey[]): JobKey[] => [...new Map(keys.map((key) => [jobIdOf(key), key])).values()];

const arrayOf = (keys: Sql): Sql => sql`(SELECT coalesce(json_agg(due), '[]') FROM (${keys}) due)`;
