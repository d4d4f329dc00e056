import { setTimeout as pause } from 'node:timers/promises';
import { getQueueToken } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { POLL_TASK, QUEUES } from '@outreach/job-queue';
import type { Queue } from 'bullmq';
import { declareGauge, Sampled } from '@outreach/metrics';
import { SAMPLE_LIMITS } from '@outreach/database';
import { Database, sql } from '../database/index.js';

const JOBS_SECONDS = 60;
const POLL_SECONDS = 30;
/** While Redis is not available, a command may wait for its return. */
const TIMEOUT_MS = 2_000;

/** The states of a job. Ended jobs are deleted; none is delayed or prioritized. */
const STATES = ['waiting', 'active'] as const;

const queueJobs = declareGauge({
  name: 'outreach_queue_jobs',
  help: 'Jobs in the queues, the same in every process. A job wakes a worker for a campaign, an email account or a webhook',
  labelNames: ['queue', 'state'] as const,
});

const pollLateness = declareGauge({
  name: 'outreach_due_work_poll_late_seconds',
  help: 'For how long no worker has looked for due work although it was time; grows if no worker runs',
});

interface QueueCounts {
  readonly queue: string;
  readonly jobs: Readonly<Record<string, number>>;
}

/** Samples the queues and the scheduler. */
@Injectable()
export class QueueMetrics {
  private readonly database: Database;
  /** One at a time: a connection that hangs answers none of them. */
  private pending: Promise<readonly QueueCounts[]> | undefined;

  constructor(
    @Inject(QUEUES) private readonly queues: readonly string[],
    private readonly modules: ModuleRef,
    database: Database,
  ) {
    this.database = database.withTimeLimits(SAMPLE_LIMITS);
  }

  @Sampled({ name: 'queue_jobs', gauges: [queueJobs], seconds: JOBS_SECONDS })
  async countJobs(): Promise<void> {
    this.pending ??= Promise.all(this.queues.map((queue) => this.countsOf(queue))).finally(() => {
      this.pending = undefined;
    });
    const timeout = pause(TIMEOUT_MS, undefined, { ref: false });
    const counts = await Promise.race([this.pending, timeout]);
    if (!counts) throw new Error('The queues did not reply in time.');
    for (const { queue, jobs } of counts) {
      for (const state of STATES) queueJobs.set({ queue, state }, jobs[state] ?? 0);
    }
  }

  /** The delay of the task that polls for due work. A process that starts creates it if it is missing. */
  @Sampled({ name: 'due_work_poll', gauges: [pollLateness], seconds: POLL_SECONDS })
  async measureLateness(): Promise<void> {
    const [row] = await this.database.query<{ seconds: number | null }>(
      sql`SELECT extract(epoch FROM max(${sql.realNow} - next_run_at))::float8 AS seconds FROM scheduled_tasks
          WHERE name = ${POLL_TASK}`,
    );
    if (row?.seconds != null) pollLateness.set(Math.max(row.seconds, 0));
  }

  private async countsOf(queue: string): Promise<QueueCounts> {
    return {
      queue,
      jobs: await this.modules.get<Queue>(getQueueToken(queue), { strict: false }).getJobCounts(...STATES),
    };
  }
}
