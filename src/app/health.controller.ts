import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, Header, HttpCode, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { register } from 'prom-client';
import { RecentResult } from '../platform/concurrency/index.js';
import { CONFIG, type Config } from '../platform/config/index.js';
import { Database, requestLimits, sql } from '../platform/database/index.js';
import { OpenConnections, PublicRoute, RespondsStream, Summary } from '../platform/http/index.js';
import { assertRedisAvailable } from '../platform/queue/index.js';

const TIMEOUT_MS = 2_000;
/** Checks and metrics query the database, so a process computes them at most once a second. */
const MAX_AGE_MS = 1_000;

/** Health checks for orchestrators and metrics for Prometheus, outside of `/v1`. */
@Controller()
@PublicRoute()
export class HealthController {
  private readonly recentChecks = new RecentResult(() => this.checks(), MAX_AGE_MS);
  private readonly database: Database;
  private readonly recentMetrics = new RecentResult(() => register.metrics(), MAX_AGE_MS);

  constructor(
    database: Database,
    private readonly connections: OpenConnections,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.database = database.withTimeLimits(requestLimits(TIMEOUT_MS));
  }

  /** The process runs. */
  @Get('health/live')
  @Summary('Check whether the process runs', 'checkLiveness')
  @HttpCode(200)
  live() {
    return { status: 'ok' };
  }

  /** The process can serve requests: 503 while a dependency is not available, and from the signal to stop on. */
  @Get('health/ready')
  @Summary('Check whether the process can serve requests', 'checkReadiness')
  async ready(@Res({ passthrough: true }) response: Response) {
    const checks = await this.recentChecks.get();
    const { isDraining } = this.connections;
    const isReady = !isDraining && Object.values(checks).every(Boolean);
    response.status(isReady ? 200 : 503);
    return { status: isReady ? 'ok' : isDraining ? 'stopping' : 'unavailable', checks };
  }

  @Get('metrics')
  @Summary('Get metrics for Prometheus', 'getMetrics')
  @Header('Content-Type', register.contentType)
  @RespondsStream('text/plain')
  metrics(): Promise<string> {
    return this.recentMetrics.get();
  }

  private async checks(): Promise<Record<string, boolean>> {
    const { redis_url: redisUrl } = this.config;
    const database = await isAvailable(() => this.database.query(sql`SELECT 1`));
    return redisUrl
      ? { database, redis: await isAvailable(() => assertRedisAvailable(redisUrl, TIMEOUT_MS)) }
      : { database };
  }
}

/** @returns false after two seconds, even if the dependency does not react at all */
function isAvailable(check: () => Promise<unknown>): Promise<boolean> {
  const succeeds = check().then(
    () => true,
    () => false,
  );
  return Promise.race([succeeds, pause(TIMEOUT_MS, false, { ref: false })]);
}
