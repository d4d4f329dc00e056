import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import { Log } from '@outreach/logging';
import {
  BatchedWindows,
  FallbackWindows,
  PostgresWindows,
  RedisWindows,
  type WindowStore,
} from '@outreach/request-windows';
import { TooManyRequests } from '@outreach/http-errors';
import { CONFIG, type Config } from '../config/index.js';
import { Database } from '../database/index.js';

import { MINUTE_SECONDS } from './throttlers.js';

/** How long a counter that has reached its limit refuses requests without the store. */
const REFUSAL_MS = 1_000;
const MAX_REFUSALS = 10_000;

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** The window of a counter that has reached its limit. */
interface Refusal {
  readonly requests: number;
  readonly endsAt: number;
}

/** Counts requests in windows of a minute that all processes share: in Redis, or in PostgreSQL without it. */
@Injectable()
export class QuotaCounters implements ThrottlerStorage, OnApplicationShutdown {
  private readonly store: WindowStore;
  private readonly windows: BatchedWindows;
  /** The windows whose limit is reached, so that requests beyond it cost no statement. */
  private readonly refusals = new LRUCache<string, Refusal>({ max: MAX_REFUSALS, ttl: REFUSAL_MS });

  constructor(@Inject(CONFIG) config: Config, database: Database, log: Log) {
    const shared = config.redis_url ? new RedisWindows(config.redis_url) : new PostgresWindows(database);
    this.store = new FallbackWindows(shared, (error) =>
      log.warn('counts the requests for quotas in this process, because their store does not respond', { error }),
    );
    this.windows = new BatchedWindows(this.store, MINUTE_SECONDS);
  }

  /**
   * Counts a request. The calls of one tick are counted in one batch.
   * @param _ttl is a minute for all counters
   */
  async increment(key: string, _ttl: number, limit: number): Promise<ThrottlerRecord> {
    const { requests, ends_in_ms: endsInMs } = await this.windows.count(key);
    const isBlocked = requests > limit;
    if (isBlocked) {
      const refusal = { requests, endsAt: performance.now() + endsInMs };
      this.refusals.set(key, refusal, { ttl: Math.max(1, Math.min(REFUSAL_MS, endsInMs)) });
    }
    return toRecord(requests, endsInMs, isBlocked);
  }

  /**
   * Counts a request that has no token in some counters.
   * @param limits how many requests a minute each of them allows, by key
   * @throws TooManyRequests if one of them allows no more
   */
  async countRequest(limits: Readonly<Record<string, number>>): Promise<void> {
    const keys = Object.entries(limits);
    const refused = keys.map(([key]) => this.refused(key)).find((record) => record !== undefined);
    const records = refused ? [refused] : await Promise.all(keys.map(([key, limit]) => this.increment(key, 0, limit)));
    const blocked = records.find(({ isBlocked }) => isBlocked);
    if (blocked) throw new TooManyRequests(blocked.timeToBlockExpire);
  }

  /** @returns the state of a counter that has refused a request in the last second; counts nothing */
  refused(key: string): ThrottlerRecord | undefined {
    const refusal = this.refusals.get(key);
    return refusal && toRecord(refusal.requests, refusal.endsAt - performance.now(), true);
  }

  onApplicationShutdown(): Promise<void> {
    return this.store.close();
  }
}

function toRecord(requests: number, endsInMs: number, isBlocked: boolean): ThrottlerRecord {
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000));
  return { totalHits: requests, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 };
}
