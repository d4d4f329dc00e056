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
    const { status, body } = await this.health.readyForRequests();
    response.status(status);
    return body;
  }

  @Get('metrics')
  @Summary('Get metrics for Prometheus', 'getMetrics')
  @Header('Content-Type', register.contentType)
  @RespondsStream('text/plain')
  metrics(): Promise<string> {
    return this.currentMetrics.text();
  }
}
