import { Module } from '@nestjs/common';
import { BlacklistController } from './blacklist.controller.js';
import { Blacklist } from './blacklist.service.js';
import { GlobalBlacklist } from './global-blacklist.cross-tenant.js';

/** `/blacklist` (API v1, "Blacklist"). For sending, `Blacklist` adds addresses and `GlobalBlacklist` looks them up. */
@Module({
  controllers: [BlacklistController],
  providers: [Blacklist, GlobalBlacklist],
  exports: [Blacklist, GlobalBlacklist],
})
export class BlacklistModule {}
