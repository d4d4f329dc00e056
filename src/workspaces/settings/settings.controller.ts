import { Body, Controller, Get, Put } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { InWorkspace } from '../../platform/http/requests/index.js';
import { WaitsForNetwork } from '../../platform/http/shares/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { findWorkspaceSettings } from './settings.queries.js';
import { settingsView } from './settings.view.js';
import { UpdateSettingsDto } from './update-settings.dto.js';
import { WorkspaceSettingsService } from './workspace-settings.service.js';

@Controller('v1/settings')
export class SettingsController {
  constructor(private readonly settings: WorkspaceSettingsService) {}

  /** What holds for the whole workspace. */
  @Get()
  @Summary('Get the settings of the workspace', 'getSettings')
  @RequirePermission('email_accounts:read')
  @Responds(settingsView)
  get(@InWorkspace() scope: WorkspaceScope) {
    return findWorkspaceSettings(scope);
  }

  /** Changes the fields that the body names. A `tracking_domain` is looked up at once, within a few seconds. */
  @Put()
  @Summary('Change the settings of the workspace', 'updateSettings')
  @RequirePermission('email_accounts:write')
  @WaitsForNetwork('lookup')
  @Responds(settingsView)
  update(@InWorkspace() scope: WorkspaceScope, @Body() dto: UpdateSettingsDto) {
    return this.settings.update(scope, dto);
  }
}
