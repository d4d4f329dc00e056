import { Module } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import { CONFIG, type Config } from '../config/index.js';
import { QuotaCounters } from './quota-counters.js';
import { createThrottlers } from './throttlers.js';

@Module({ providers: [QuotaCounters], exports: [QuotaCounters] })
class QuotaCountersModule {}

/**
 * The quota of a token, `RATE_LIMIT_PER_MINUTE` for all routes together, and ten times as much for the workspace.
 */
@Module({
  imports: [
    QuotaCountersModule,
    ThrottlerModule.forRootAsync({
      imports: [QuotaCountersModule],
      inject: [CONFIG, QuotaCounters, Reflector],
      useFactory: (config: Config, storage: QuotaCounters, reflector: Reflector): ThrottlerModuleOptions => ({
        throttlers: createThrottlers(config.rate_limit_per_minute, reflector),
        storage,
      }),
    }),
  ],
  exports: [QuotaCountersModule, ThrottlerModule],
})
export class QuotaModule {}
