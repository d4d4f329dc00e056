import { Injectable } from '@nestjs/common';
import { KeptCounts, Statistics } from '../platform/database/index.js';
import { KeptAnswers } from '../platform/idempotency/index.js';
import { Every } from '../platform/queue/index.js';

const HOUR_SECONDS = 3600;
const STATISTICS_SECONDS = 5;
const COUNTS_SECONDS = 2;

/** Removes what has had its time, and keeps the database's picture of itself fresh. */
@Injectable()
export class Housekeeping {
  constructor(
    private readonly answers: KeptAnswers,
    private readonly statistics: Statistics,
    private readonly counts: KeptCounts,
  ) {}

  @Every(HOUR_SECONDS)
  async forgetKeptAnswers(): Promise<void> {
    await this.answers.forgetOld();
  }

  @Every(STATISTICS_SECONDS)
  async refreshStatistics(): Promise<void> {
    await this.statistics.refresh();
  }

  @Every(COUNTS_SECONDS)
  async mergeKeptCounts(): Promise<void> {
    await this.counts.merge();
  }
}
