import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions, type ThrottlerStorage } from '@nestjs/throttler';
import { CONFIG, type Config } from '../config/index.js';
import { Database } from '../database/index.js';
import { Log } from '../logging/index.js';
import { PostgresWindows } from './postgres-windows.js';
import { RedisWindows } from './redis-windows.js';
import { BatchedWindows, type WindowState, type WindowStore } from './windows.js';

const MINUTE_SECONDS = 60;

/** Stores the counters of the throttler in windows that all processes share. */
@Injectable()
class SharedQuotaStorage implements ThrottlerStorage, OnApplicationShutdown {
  private readonly store: WindowStore;
  private readonly windows: BatchedWindows;

  constructor(
    @Inject(CONFIG) config: Config,
    database: Database,
    private readonly log: Log,
  ) {
    this.store = config.redis_url ? new RedisWindows(config.redis_url) : new PostgresWindows(database);
    this.windows = new BatchedWindows(this.store, MINUTE_SECONDS);
  }

  async increment(key: string, _ttl: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    const { requests, ends_in_ms: endsInMs } = await this.windows
      .count(key)
      .catch((error: unknown) => this.uncounted(error));
    const seconds = Math.max(1, Math.ceil(endsInMs / 1000));
    const isBlocked = requests > limit;
    return { totalHits: requests, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 };
  }

  /**
   * If the store fails, the request is allowed: a quota protects the service, so its failure must not stop the service.
   */
  private uncounted(error: unknown): WindowState {
    this.log.warn('cannot count a request for its quota', { error });
    return { requests: 1, ends_in_ms: MINUTE_SECONDS * 1000 };
  }

  onApplicationShutdown(): Promise<void> {
    return this.store.close();
  }
}

@Module({ providers: [SharedQuotaStorage], exports: [SharedQuotaStorage] })
class QuotaStorageModule {}

/** The quota of a token, `RATE_LIMIT_PER_MINUTE` for all routes together. Counted in Redis or PostgreSQL. */
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      imports: [QuotaStorageModule],
      inject: [CONFIG, SharedQuotaStorage],
      useFactory: (config: Config, storage: SharedQuotaStorage): ThrottlerModuleOptions => ({
        throttlers: [{ ttl: MINUTE_SECONDS * 1000, limit: config.rate_limit_per_minute }],
        storage,
      }),
    }),
  ],
  exports: [ThrottlerModule],
})
export class QuotaModule {}
