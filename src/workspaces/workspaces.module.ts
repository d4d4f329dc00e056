import { Module } from '@nestjs/common';
import { MeController } from './me.controller.js';
import { SettingsController } from './settings/settings.controller.js';
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
  providers: [TokenCache, BearerStrategy, TokenLookup, TokenRevocation, TokensService, Workspaces],
  exports: [TokenCache, TokenLookup, TokensService, Workspaces],
})
export class WorkspacesModule {}
