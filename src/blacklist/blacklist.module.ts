import { Module } from '@nestjs/common';
import { KeyedHashModule } from '../platform/keyed-hash/index.js';
import { BlacklistHashes } from './blacklist-hashes.js';
import { BlacklistController } from './blacklist.controller.js';
import { Blacklist } from './blacklist.service.js';
import { GlobalBlacklist } from './global-blacklist.cross-tenant.js';

/** `/blacklist` (API v1, "Blacklist"). For sending, `Blacklist` adds addresses and `GlobalBlacklist` looks them up. */
@Module({
  imports: [KeyedHashModule],
  controllers: [BlacklistController],
  providers: [Blacklist, BlacklistHashes, GlobalBlacklist],
  exports: [Blacklist, GlobalBlacklist],
})
export class BlacklistModule {}
