import { Controller, Get } from '@nestjs/common';
import { Summary } from '../../platform/http/openapi/index.js';
import { Responds } from '../../platform/http/responses/index.js';
import { PublicRoute } from '../../platform/http/routes/index.js';
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
