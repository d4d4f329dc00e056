import { Module } from '@nestjs/common';
import { MeController } from './me.controller.js';
import { Principals } from './principals.js';
import { BearerStrategy } from './token.guard.js';
import { TokenLookup } from './tokens.crossing.js';
import { TokensController } from './tokens.controller.js';
import { TokensService } from './tokens.service.js';
import { Workspaces } from './workspaces.crossing.js';

@Module({
  controllers: [MeController, TokensController],
  providers: [Principals, BearerStrategy, TokenLookup, TokensService, Workspaces],
  exports: [Principals, TokenLookup, TokensService, Workspaces],
})
export class WorkspacesModule {}
