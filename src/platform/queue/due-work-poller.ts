import { Injectable, SetMetadata } from '@nestjs/common';
import { Database, type Sql, sql } from '../database/index.js';
import { DecoratedMethods } from '../discovery/index.js';
import { Log } from '../logging/index.js';
import type { JobKey } from './job-queue.js';
import { Scheduled } from './task-scheduler.js';
import { isOnlyWorker as onlyWorkerCondition } from './worker-session.js';

const DUE_WORK = Symbol('due work');
/** The name of the scheduled task that polls for due work. */
export const POLL_TASK = 'find-due-work';
const POLL_INTERVAL_SECONDS = 1;

/** What is due of one kind of work, in all workspaces. */
export interface DuePoll {
  /** SELECT of `workspace_id` and `id`, whose cost does not depend on how much work waits. */
  readonly keys: Sql;
  /**
   * Is called with what was found, in the order of the statement, unless nothing was.
   * @param isOnlyWorker no other process could do the work
   */
  found(keys: readonly JobKey[], isOnlyWorker: boolean): Promise<void>;
}

/** Polls what a provider's method describes, every second: `() => DuePoll`. Only workers poll. */
export const PollsDueWork = (): MethodDecorator => SetMetadata(DUE_WORK, true);

/** Finds the due work of all kinds in one statement, in one process of the installation at a time. */
@Injectable()
export class DueWorkPoller {
  private readonly database: Database;

  constructor(
    private readonly methods: DecoratedMethods,
    database: Database,
    private readonly log: Log,
  ) {
    this.database = database.withoutTimeLimits();
  }

  @Scheduled(POLL_TASK, POLL_INTERVAL_SECONDS)
  async poll(): Promise<void> {
    const polls = this.methods.withMetadata(DUE_WORK).map(({ call }) => call() as DuePoll);
    const [found] = await this.database.query<{ keys: (readonly JobKey[])[]; is_only_worker: boolean }>(
      sql`SELECT json_build_array(${sql.join(polls.map(({ keys }) => arrayOf(keys)))}) AS keys,
            ${onlyWorkerCondition} AS is_only_worker`,
    );
    if (!found) return;
    const handled = polls.map((poll, index) => this.handle(poll, found.keys[index] ?? [], found.is_only_worker));
    await Promise.all(handled);
  }

  /** An error does not affect the other kinds of work. The next poll finds the work again. */
  private async handle(poll: DuePoll, keys: readonly JobKey[], isOnlyWorker: boolean): Promise<void> {
    try {
      if (keys.length > 0) await poll.found(keys, isOnlyWorker);
    } catch (error) {
      this.log.error('due work could not be started', { error });
    }
  }
}

const arrayOf = (keys: Sql): Sql => sql`(SELECT coalesce(json_agg(due), '[]') FROM (${keys}) due)`;
