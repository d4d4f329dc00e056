import { Module } from '@nestjs/common';
import { KeptCounts, Statistics } from '../platform/database/index.js';
import { ChoresModule } from '../platform/queue/index.js';
import { Housekeeping } from './housekeeping.js';
import { KeptAnswers } from '../platform/idempotency/index.js';
import { workers } from './features.js';

/** The half that works: it sends what is due and looks after what was left behind. */
@Module({ imports: [ChoresModule, ...workers], providers: [Housekeeping, KeptAnswers, KeptCounts, Statistics] })
export class WorkerModule {}
