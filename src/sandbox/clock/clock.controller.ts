import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { InWorkspace } from '../../platform/http/requests/index.js';
import { WaitsForNetwork } from '../../platform/http/shares/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SandboxOnly } from '../sandbox.guard.js';
import { sandboxClockView } from './clock.view.js';
import { AdvanceClockDto } from './dto/advance-clock.dto.js';
import { SandboxClockService } from './sandbox-clock.service.js';

@Controller('v1/sandbox/clock')
@SandboxOnly()
export class SandboxClockController {
  constructor(private readonly clock: SandboxClockService) {}

  /** Returns the time of a sandbox workspace. Its clock runs on between calls. 404 in other workspaces. */
  @Get()
  @Summary("Get a sandbox's clock", 'getSandboxClock')
  @RequirePermission('campaigns:read')
  @Responds(sandboxClockView)
  read(@InWorkspace() scope: WorkspaceScope) {
    return this.clock.read(scope);
  }

  /**
   * Puts the clock of a sandbox workspace forward. On the way, everything that becomes due is done in its order and at its
   * time: delays, schedules, limits, retries, webhooks, retention. The response comes when all of that is done, or after 30
   * seconds with `is_settled` false and the time that was reached; then the rest goes on, and `GET` tells when it is done. A
   * second call while the first one is in progress is done after it. 404 in other workspaces.
   */
  @Post()
  @HttpCode(200)
  @Summary("Put a sandbox's clock forward", 'advanceSandboxClock')
  @RequirePermission('campaigns:write')
  @WaitsForNetwork('connection')
  @Responds(sandboxClockView)
  advance(@InWorkspace() scope: WorkspaceScope, @Body() dto: AdvanceClockDto) {
    return this.clock.advance(scope, dto.to ? { to: dto.to } : { seconds: dto.advance_seconds ?? 0 });
  }
}
