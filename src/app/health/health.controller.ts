import { Controller, Get } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { PublicRoute } from '@outreach/http-api/routes';
import { livenessView } from './health.view.js';

/** The health check that anybody may make, outside of `/v1`. */
@Controller()
@PublicRoute()
export class HealthController {
  /** Responds while the process runs. */
  @Get('health/live')
  @Summary('Check whether the process runs', 'checkLiveness')
  @Responds(livenessView, { envelope: 'none' })
  live() {
    return { status: 'ok' } as const;
  }
}
