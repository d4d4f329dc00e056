import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import {
  arrayView,
  IdParam,
  IgnoresIdempotencyKey,
  InWorkspace,
  RequirePermission,
  Responds,
  RespondsNoContent,
  RespondsPage,
  Summary,
} from '../platform/http/index.js';
import { Quota } from '../platform/quota/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { BLACKLIST_REASONS, BlacklistEntry } from './blacklist-entry.entity.js';
import { Blacklist } from './blacklist.service.js';
import {
  blacklistCheckView,
  blacklistEntryView,
  blacklistReasonView,
  bulkCreated,
  bulkDeleted,
} from './blacklist.view.js';
import { BlacklistAddressDto } from './dto/blacklist-address.dto.js';
import { BlacklistListQuery } from './dto/blacklist-list.query.js';
import { BlacklistAddressesDto, RemoveAddressesDto } from './dto/bulk.dto.js';
import { CheckAddressDto } from './dto/check-address.dto.js';

@Controller('v1/blacklist')
export class BlacklistController {
  constructor(private readonly blacklist: Blacklist) {}

  @Get()
  @Summary('List the addresses that the workspace has blacklisted', 'listBlacklistEntries')
  @RequirePermission('blacklist:read')
  @RespondsPage(blacklistEntryView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: BlacklistListQuery) {
    return scope.of(BlacklistEntry).page(query);
  }

  @Post()
  @Summary('Blacklist an address', 'createBlacklistEntry')
  @RequirePermission('blacklist:write')
  @Responds(blacklistEntryView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: BlacklistAddressDto) {
    return this.blacklist.create(scope, dto);
  }

  @Get('reasons')
  @Summary('List the reasons for blacklisting', 'listBlacklistReasons')
  @RequirePermission('blacklist:read')
  @Responds(arrayView(blacklistReasonView))
  reasons() {
    return BLACKLIST_REASONS;
  }

  @Post('check')
  @Summary('Check whether an address is blacklisted')
  @RequirePermission('blacklist:read')
  @Quota({ name: 'blacklist-check', perMinute: 30 })
  @IgnoresIdempotencyKey()
  @Responds(blacklistCheckView)
  check(@InWorkspace() scope: WorkspaceScope, @Body() { email }: CheckAddressDto) {
    return this.blacklist.check(scope, email);
  }

  @Post('bulk-create')
  @Summary('Blacklist many addresses', 'createBlacklistEntries')
  @RequirePermission('blacklist:write')
  @Responds(bulkCreated, { status: 201 })
  bulkCreate(@InWorkspace() scope: WorkspaceScope, @Body() dto: BlacklistAddressesDto) {
    return this.blacklist.bulkCreate(scope, dto);
  }

  @Delete('bulk-delete')
  @Summary('Remove many addresses from the blacklist', 'deleteBlacklistEntries')
  @RequirePermission('blacklist:write')
  @Responds(bulkDeleted)
  bulkDelete(@InWorkspace() scope: WorkspaceScope, @Body() { emails }: RemoveAddressesDto) {
    return this.blacklist.bulkDelete(scope, emails);
  }

  @Get(':id')
  @Summary('Get a blacklist entry', 'getBlacklistEntry')
  @RequirePermission('blacklist:read')
  @Responds(blacklistEntryView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return scope.of(BlacklistEntry).get(id);
  }

  @Delete(':email')
  @Summary('Remove an address from the blacklist', 'deleteBlacklistEntry')
  @RequirePermission('blacklist:write')
  @RespondsNoContent()
  remove(@InWorkspace() scope: WorkspaceScope, @Param('email') email: string) {
    return this.blacklist.remove(scope, email);
  }
}
