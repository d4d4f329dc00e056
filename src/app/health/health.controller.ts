import { Controller, Get, Header } from '@nestjs/common';
import { register } from 'prom-client';
import { PublicRoute, Responds, RespondsStream, Summary } from '../../platform/http/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { Health } from './health.js';
import { livenessView, readinessView } from './health.view.js';

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
  @Responds(livenessView, { envelope: 'none' })
  live() {
    return { status: 'ok' } as const;
  }

  /** Responds with 503 while the database or Redis is not available, and after the signal to stop. */
  @Get('health/ready')
  @Summary('Check whether the process can serve requests', 'checkReadiness')
  @Responds(readinessView, { envelope: 'none', otherStatus: { status: 503, when: ({ status }) => status === 503 } })
  ready() {
    return this.health.readyForRequests();
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
