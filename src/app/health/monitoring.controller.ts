import { Controller, Get, Header } from '@nestjs/common';
import { register } from 'prom-client';
import { Metrics } from '@outreach/metrics';
import { Summary } from '@outreach/http-api/openapi';
import { Responds, RespondsStream } from '@outreach/http-api/responses';
import { PublicRoute } from '@outreach/http-api/routes';
import { Health } from './health.js';
import { readinessView } from './health.view.js';

/**
 * What only the operator needs to know of a process, on the port of the API as long as `METRICS_PORT`, which has it too, is
 * not set: whoever reaches the API would read it there.
 */
@Controller()
@PublicRoute()
export class MonitoringController {
  constructor(
    private readonly health: Health,
    private readonly currentMetrics: Metrics,
  ) {}

  /**
   * Responds with 503 while the database or Redis does not accept writes, and after the signal to stop. It is not here but on
   * `METRICS_PORT` if the operator has set that.
   */
  @Get('health/ready')
  @Summary('Check whether the process can serve requests', 'checkReadiness')
  @Responds(readinessView, { envelope: 'none', otherStatus: { status: 503, when: ({ status }) => status === 503 } })
  ready() {
    return this.health.readyForRequests();
  }

  /**
   * Responds with 503 while work is due that the worker of this process leaves alone: restart it. The state of the database
   * and of Redis does not matter, because a worker keeps results of sent messages in its memory. It is not here but on
   * `METRICS_PORT` if the operator has set that.
   */
  @Get('health/work')
  @Summary('Check whether the worker does its work', 'checkWork')
  @Responds(readinessView, { envelope: 'none', otherStatus: { status: 503, when: ({ status }) => status === 503 } })
  work() {
    return this.health.doesWork();
  }

  /**
   * Counters and gauges in the text format of Prometheus. They are not here but on `METRICS_PORT` if the operator has set
   * that.
   */
  @Get('metrics')
  @Summary('Get metrics for Prometheus', 'getMetrics')
  @Header('Content-Type', register.contentType)
  @RespondsStream('text/plain')
  metrics(): Promise<string> {
    return this.currentMetrics.text();
  }
}
