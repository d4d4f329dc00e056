import { Controller, Get, Header, HttpCode, Res } from '@nestjs/common';
import type { Response } from 'express';
import { register } from 'prom-client';
import { Database, sql } from '../platform/database/index.js';
import { AnswersStream, Public, Summary } from '../platform/http/index.js';

/** For orchestrators and Prometheus, outside `/v1`. */
@Controller()
@Public()
export class HealthController {
  constructor(private readonly database: Database) {}

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
    const checks = { database: await this.answers() };
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

  private async answers(): Promise<boolean> {
    try {
      await this.database.query(sql`SELECT 1`);
      return true;
    } catch {
      return false;
    }
  }
}
