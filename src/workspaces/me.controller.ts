import { Controller, Get } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { AnyToken } from '@outreach/http-api/routes';
import { Caller, type Principal } from '../platform/http/requests/index.js';
import { WorkspaceLimits } from '../platform/limits/index.js';
import { meView } from './token.view.js';
import { Workspaces } from './workspaces.cross-tenant.js';

@Controller('v1/me')
export class MeController {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly limits: WorkspaceLimits,
  ) {}

  /** Who you are: the workspace, the token with its permissions, and the limits of the workspace. */
  @Get()
  @Summary('Get the workspace and the token of the caller', 'getMe')
  @AnyToken()
  @Responds(meView)
  async me(@Caller() caller: Principal) {
    return { caller, workspace: await this.workspaces.get(caller.workspace_id), limits: this.limits.values };
  }
}
