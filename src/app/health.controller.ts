import { Controller, Get, Header, HttpCode, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { register } from 'prom-client';
import { CONFIG, type Config } from '../platform/config/index.js';
import { Database, sql } from '../platform/database/index.js';
import { AnswersStream, Public, Summary } from '../platform/http/index.js';
import { assertRedisAnswers } from '../platform/queue/index.js';

const PATIENCE_MS = 2_000;

/** For orchestrators and Prometheus, outside `/v1`. */
@Controller()
@Public()
export class HealthController {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The process runs. */
  @Get('health/live')
  @Summary('Tell whether the process runs')
  @HttpCode(200)
  live() {
    return { status: 'ok' };
  }

  /** The process can answer: 503 while a dependency is down. */
  @Get('health/ready')
  @Summary('Tell whether the process can answer')
  async ready(@Res({ passthrough: true }) response: Response) {
    const checks = await this.checks();
    const ready = Object.values(checks).every(Boolean);
    response.status(ready ? 200 : 503);
    return { status: ready ? 'ok' : 'unavailable', checks };
  }

  @Get('metrics')
  @Summary('Metrics for Prometheus')
  @Header('Content-Type', register.contentType)
  @AnswersStream('text/plain')
  metrics(): Promise<string> {
    return register.metrics();
  }

  private async checks(): Promise<Record<string, boolean>> {
    const { redis_url: redisUrl } = this.config;
    const database = await answers(() => this.database.query(sql`SELECT 1`));
    return redisUrl
      ? { database, redis: await answers(() => assertRedisAnswers(redisUrl, PATIENCE_MS)) }
      : { database };
  }
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}
