import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG, type Config } from '../config/index.js';
import { Database } from '../database/index.js';
import { Log } from '../logging/index.js';
import { FallbackWindows } from './fallback-windows.js';
import { PostgresWindows } from './postgres-windows.js';
import { RedisWindows } from './redis-windows.js';
import { BatchedWindows, type WindowStore } from './windows.js';

const MINUTE_SECONDS = 60;
/** How long a counter that has reached its limit refuses requests without the store. */
const REFUSAL_MS = 1_000;
const MAX_REFUSALS = 10_000;

/** A counter, and how many requests it allows in a minute. */
export interface LimitedCounter {
  readonly key: string;
  readonly limit: number;
}

/** A counter after a request. */
export interface CounterState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, if the request is beyond the limit. */
  readonly retryAfter?: number;
}

/** Counts requests in windows of a minute that all processes share: in Redis, or in PostgreSQL without it. */
@Injectable()
export class QuotaCounters implements OnApplicationShutdown {
  private readonly store: WindowStore;
  private readonly windows: BatchedWindows;
  /** When the windows end whose limit is reached, so that requests beyond it cost no statement. */
  private readonly refusals = new LRUCache<string, number>({ max: MAX_REFUSALS, ttl: REFUSAL_MS });

  constructor(@Inject(CONFIG) config: Config, database: Database, log: Log) {
    const shared = config.redis_url ? new RedisWindows(config.redis_url) : new PostgresWindows(database);
    this.store = new FallbackWindows(shared, (error) =>
      log.warn('counts the requests for quotas in this process, because their store does not respond', { error }),
    );
    this.windows = new BatchedWindows(this.store, MINUTE_SECONDS);
  }

  /** Counts a request in each counter. @returns their states, in this order */
  async count(counters: readonly LimitedCounter[]): Promise<CounterState[]> {
    const windows = await this.windows.count(counters.map(({ key }) => key));
    return windows.map(({ requests, ends_in_ms: endsInMs }, index) => {
      const { key, limit } = counters[index] as LimitedCounter;
      if (requests <= limit) return { limit, remaining: limit - requests };
      this.refusals.set(key, performance.now() + endsInMs, { ttl: Math.max(1, Math.min(REFUSAL_MS, endsInMs)) });
      return { limit, remaining: 0, retryAfter: secondsOf(endsInMs) };
    });
  }

  /** @returns the state of the first counter that has refused a request in the last second; counts nothing */
  refused(counters: readonly LimitedCounter[]): CounterState | undefined {
    for (const { key, limit } of counters) {
      const endsAt = this.refusals.get(key);
      if (endsAt !== undefined) return { limit, remaining: 0, retryAfter: secondsOf(endsAt - performance.now()) };
    }
    return undefined;
  }

  onApplicationShutdown(): Promise<void> {
    return this.store.close();
  }
}

const secondsOf = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000));
