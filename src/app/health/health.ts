import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { RecentResult } from '@outreach/concurrency';
import { Log } from '@outreach/logging';
import { SAMPLE_LIMITS } from '@outreach/database';
import { WorkProgress } from '@outreach/job-queue';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { Database, sql } from '../../platform/database/index.js';
import { redisCheck } from '../../platform/redis/index.js';
import type { CheckedParts, Readiness } from './health.view.js';

const TIMEOUT_MS = 2_000;
/** Changes no row, but fails if the server only reads: a standby, or a primary that a failover has replaced. */
const WRITE_NOTHING = sql`UPDATE scheduled_tasks SET name = name WHERE FALSE`;
/** The checks query the database, so a process runs them at most once a second. */
const MAX_AGE_MS = 1_000;

/** Checks what this process needs, and whether its worker makes progress. */
@Injectable()
export class Health {
  private readonly database: Database;
  private readonly dependencies = new RecentResult(() => this.checkDependencies(), MAX_AGE_MS);
  private readonly work = new RecentResult(() => this.checkWork(), MAX_AGE_MS);
  private isStopping = false;
  private loggedStall = '';

  constructor(
    database: Database,
    private readonly progress: WorkProgress,
    @Inject(CONFIG) private readonly config: Config,
    private readonly log: Log,
  ) {
    this.database = database.withTimeLimits(SAMPLE_LIMITS);
  }

  /** From now on the process is not ready. */
  prepareToStop(): void {
    this.isStopping = true;
  }

  /** Whether the process can serve requests. */
  async readyForRequests(): Promise<Readiness> {
    return this.readiness(await this.dependencies.get());
  }

  /** Whether the process can do the work of its role; that of a worker makes progress. */
  async readyForWork(): Promise<Readiness> {
    const [dependencies, work] = await Promise.all([this.dependencies.get(), this.work.get()]);
    return this.readiness({ ...dependencies, ...work });
  }

  /** Whether the worker of this process does what is due, also while the database is away or the process stops. */
  async doesWork(): Promise<Readiness> {
    return available(await this.work.get());
  }

  private readiness(checks: CheckedParts): Readiness {
    return this.isStopping ? { status: 503, body: { status: 'stopping', checks } } : available(checks);
  }

  private async checkDependencies(): Promise<CheckedParts> {
    const { redis_url: redisUrl } = this.config;
    const database = await isAvailable(() => this.database.execute(WRITE_NOTHING));
    return redisUrl
      ? { database, redis: await isAvailable(() => redisCheck.assertAvailable(redisUrl, TIMEOUT_MS)) }
      : { database };
  }

  /** If due work cannot be read, the check of the database says why. */
  private async checkWork(): Promise<CheckedParts> {
    if (this.config.role === 'api') return {};
    const stalled = await Promise.race([this.progress.stalledWork(), pause(TIMEOUT_MS, [], { ref: false })]);
    this.logStalled(stalled);
    return { work: stalled.length === 0 };
  }

  /** Once, until it changes. */
  private logStalled(stalled: readonly string[]): void {
    const names = stalled.join(', ');
    if (names !== '' && names !== this.loggedStall) this.log.error('due work is left alone', { work: names });
    this.loggedStall = names;
  }
}

/** @returns 200 if all that was checked is available */
function available(checks: CheckedParts): Readiness {
  return Object.values(checks).every(Boolean)
    ? { status: 200, body: { status: 'ok', checks } }
    : { status: 503, body: { status: 'unavailable', checks } };
}

/** @returns false after two seconds, even if the dependency does not react at all */
function isAvailable(check: () => Promise<unknown>): Promise<boolean> {
  const succeeds = check().then(
    () => true,
    () => false,
  );
  return Promise.race([succeeds, pause(TIMEOUT_MS, false, { ref: false })]);
}
