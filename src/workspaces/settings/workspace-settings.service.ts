import { Injectable } from '@nestjs/common';
import { normalizeHost } from '@outreach/egress';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { findWorkspaceSettings, updateWorkspaceSettings } from './settings.queries.js';
import type { WorkspaceSettings } from './settings.view.js';
import { TrackingDomains } from './tracking-domains.js';
import type { UpdateSettingsDto } from './update-settings.dto.js';

@Injectable()
export class WorkspaceSettingsService {
  constructor(private readonly domains: TrackingDomains) {}

  /** Changes the settings that are not undefined. A tracking domain is looked up before. @throws NotFound, Busy, Conflict */
  async update(scope: WorkspaceScope, dto: UpdateSettingsDto): Promise<WorkspaceSettings> {
    if (typeof dto.tracking_domain !== 'string') return updateWorkspaceSettings(scope, dto);
    const tracking_domain = normalizeHost(dto.tracking_domain) ?? dto.tracking_domain;
    const { tracking_domain_token: token } = await findWorkspaceSettings(scope);
    const status = await this.domains.lookUp(scope.workspace_id, { domain: tracking_domain, token });
    return updateWorkspaceSettings(scope, { ...dto, tracking_domain }, status);
  }
}
