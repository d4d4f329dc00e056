import { Injectable } from '@nestjs/common';
import { KeptAnswers } from '../platform/idempotency/index.js';
import { Every } from '../platform/queue/index.js';

const HOUR_SECONDS = 3600;

/** Removes what has had its time. */
@Injectable()
export class Housekeeping {
  constructor(private readonly answers: KeptAnswers) {}

  @Every(HOUR_SECONDS)
  async forgetKeptAnswers(): Promise<void> {
    await this.answers.forgetOld();
  }
}
