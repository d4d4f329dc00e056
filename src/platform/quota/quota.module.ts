import { Module } from '@nestjs/common';
import { QuotaCounters } from './quota-counters.js';

/**
 * The quota of a token, `RATE_LIMIT_PER_MINUTE` for all routes together, and ten times as much for the workspace.
 */
@Module({ providers: [QuotaCounters], exports: [QuotaCounters] })
export class QuotaModule {}
