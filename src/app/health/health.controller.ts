import { Controller, Get, Header, HttpCode, Res } from '@nestjs/common';
import type { Response } from 'express';
import { register } from 'prom-client';
import { PublicRoute, RespondsStream, Summary } from '../../platform/http/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { Health } from './health.js';

/** Health checks for orchestrators and metrics for Prometheus, outside of `/v1`. `METRICS_PORT` has them, too. */
@Controller()
@PublicRoute()
export class HealthController {
  constructor(
    private readonly health: Health,
    private readonly currentMetrics: Metrics,
  ) {}

  /** Responds while the process runs. */
  @Get('health/live')
  @Summary('Check whether the process runs', 'checkLiveness')
  @HttpCode(200)
  live() {
    return { status: 'ok' };
  }

  /** Responds with 503 while the database or Redis is not available, and after the signal to stop. */
  @Get('health/ready')
  @Summary('Check whether the process can serve requests', 'checkReadiness')
  async ready(@Res({ passthrough: true }) response: Response) {
    const { status, body } = await this.health.readyForRequests();
    response.status(status);
    return body;
  }

  /** Counters and gauges in the text format of Prometheus. */
  @Get('metrics')
  @Summary('Get metrics for Prometheus', 'getMetrics')
  @Header('Content-Type', register.contentType)
  @RespondsStream('text/plain')
  metrics(): Promise<string> {
    return this.currentMetrics.text();
  }
}
