import { Body, Controller, Get, Put } from '@nestjs/common';
import { InWorkspace, RequirePermission, Responds, Summary } from '../../platform/http/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { findWorkspaceSettings, updateWorkspaceSettings } from './settings.queries.js';
import { settingsView } from './settings.view.js';
import { UpdateSettingsDto } from './update-settings.dto.js';

@Controller('v1/settings')
export class SettingsController {
  /** What holds for the whole workspace. */
  @Get()
  @Summary('Get the settings of the workspace', 'getSettings')
  @RequirePermission('campaigns:read')
  @Responds(settingsView)
  get(@InWorkspace() scope: WorkspaceScope) {
    return findWorkspaceSettings(scope);
  }

  /** Changes the fields that the body names. */
  @Put()
  @Summary('Change the settings of the workspace', 'updateSettings')
  @RequirePermission('campaigns:write')
  @Responds(settingsView)
  update(@InWorkspace() scope: WorkspaceScope, @Body() dto: UpdateSettingsDto) {
    return updateWorkspaceSettings(scope, dto);
  }
}
