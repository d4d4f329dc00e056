import { Module } from '@nestjs/common';
import { MeController } from './me.controller.js';
import { DueTrackingDomains } from './settings/due-tracking-domains.cross-tenant.js';
import { SettingsController } from './settings/settings.controller.js';
import { TrackingDomains } from './settings/tracking-domains.js';
import { WorkspaceSettingsService } from './settings/workspace-settings.service.js';
import { TokenCache } from './token-cache.js';
import { TokenRevocation } from './token-revocation.js';
import { BearerStrategy } from './token.guard.js';
import { TokenLookup } from './tokens.cross-tenant.js';
import { TokensController } from './tokens.controller.js';
import { TokensService } from './tokens.service.js';
import { Workspaces } from './workspaces.cross-tenant.js';

/** Workspaces, API tokens, and the lookup of the caller of a request. */
@Module({
  controllers: [MeController, SettingsController, TokensController],
  providers: [
    BearerStrategy,
    TokenCache,
    TokenLookup,
    TokenRevocation,
    TokensService,
    TrackingDomains,
    Workspaces,
    WorkspaceSettingsService,
  ],
  exports: [TokenCache, TokenLookup, TokensService, Workspaces],
})
export class WorkspacesModule {}

/** What workers do for workspaces. */
@Module({ providers: [DueTrackingDomains, TrackingDomains] })
export class WorkspacesWorkerModule {}
