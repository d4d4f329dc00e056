import { Injectable } from '@nestjs/common';
import { Scheduled } from '@outreach/job-queue';
import { EndedWindows } from '@outreach/request-windows';
import { CounterCache, hasCountsToMerge, Statistics } from '../platform/database/index.js';
import { IdempotencyStore } from '../platform/idempotency/index.js';
import { WorkspaceDeletion } from './workspace-deletion/workspace-deletion.js';

const HOUR_SECONDS = 3600;
const QUOTA_SECONDS = 600;
const STATISTICS_SECONDS = 5;
const COUNTS_SECONDS = 2;

/** The scheduled tasks of the platform: deletes expired rows, and refreshes statistics and counters. */
@Injectable()
export class MaintenanceTasks {
  constructor(
    private readonly storedResponses: IdempotencyStore,
    private readonly quotaWindows: EndedWindows,
    private readonly workspaceDeletion: WorkspaceDeletion,
    private readonly statistics: Statistics,
    private readonly counters: CounterCache,
  ) {}

  @Scheduled('delete-expired-responses', HOUR_SECONDS)
  async deleteExpiredResponses(): Promise<void> {
    await this.storedResponses.deleteExpired();
  }

  @Scheduled('delete-ended-quota-windows', QUOTA_SECONDS)
  async deleteEndedQuotaWindows(): Promise<void> {
    await this.quotaWindows.delete();
  }

  @Scheduled('delete-rows-of-deleted-workspaces', HOUR_SECONDS)
  async deleteRowsOfDeletedWorkspaces(): Promise<void> {
    await this.workspaceDeletion.deleteRemainders();
  }

  @Scheduled('refresh-statistics', STATISTICS_SECONDS)
  async refreshStatistics(): Promise<void> {
    await this.statistics.refresh();
  }

  @Scheduled('merge-counters', COUNTS_SECONDS, hasCountsToMerge)
  async mergeCounters(): Promise<void> {
    await this.counters.merge();
  }
}
