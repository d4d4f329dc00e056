import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { normalizeEmail } from '@outreach/email-addresses';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { arrayView, Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { IgnoresIdempotencyKey, RequirePermission } from '@outreach/http-api/routes';
import { FindRecord } from '../platform/http/records/index.js';
import { InWorkspace } from '../platform/http/requests/index.js';
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
import {
  BlacklistAddressDto,
  BlacklistAddressesDto,
  BlacklistListQuery,
  CheckAddressDto,
  RemoveAddressesDto,
} from './blacklist.dto.js';

@Controller('v1/blacklist')
export class BlacklistController {
  constructor(private readonly blacklist: Blacklist) {}

  /** The addresses that your workspace has added, or the service for it. Those of other workspaces are not shown. */
  @Get()
  @Summary('List the addresses that the workspace has blacklisted', 'listBlacklistEntries')
  @RequirePermission('blacklist:read')
  @RespondsPage(blacklistEntryView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: BlacklistListQuery) {
    return scope.of(BlacklistEntry).page(query);
  }

  /** Adds an address. From then on no workspace sends to it. 422 if your workspace has added it already. */
  @Post()
  @Summary('Blacklist an address', 'createBlacklistEntry')
  @RequirePermission('blacklist:write')
  @Responds(blacklistEntryView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: BlacklistAddressDto) {
    return this.blacklist.create(scope, dto);
  }

  /** The values of `reason` with names for people. */
  @Get('reasons')
  @Summary('List the reasons for blacklisting', 'listBlacklistReasons')
  @RequirePermission('blacklist:read')
  @Responds(arrayView(blacklistReasonView))
  reasons() {
    return BLACKLIST_REASONS;
  }

  /**
   * Whether an address is on the blacklist of any workspace. At most 30 requests a minute for all tokens of the
   * workspace together.
   */
  @Post('check')
  @Summary('Check whether an address is blacklisted')
  @RequirePermission('blacklist:read')
  @Quota({ name: 'blacklist-check', perMinute: 30 })
  @IgnoresIdempotencyKey()
  @Responds(blacklistCheckView)
  check(@InWorkspace() scope: WorkspaceScope, @Body() { email }: CheckAddressDto) {
    return this.blacklist.check(scope, email);
  }

  /** Adds up to 1,000 addresses. 422 if one is not an address; then none is added. */
  @Post('bulk-create')
  @Summary('Blacklist many addresses', 'createBlacklistEntries')
  @RequirePermission('blacklist:write')
  @Responds(bulkCreated, { status: 201 })
  bulkCreate(@InWorkspace() scope: WorkspaceScope, @Body() dto: BlacklistAddressesDto) {
    return this.blacklist.bulkCreate(scope, dto);
  }

  /**
   * Removes your workspace's entries of up to 1,000 addresses. An address that another workspace has added, too, stays
   * blocked.
   */
  @Delete('bulk-delete')
  @Summary('Remove many addresses from the blacklist', 'deleteBlacklistEntries')
  @RequirePermission('blacklist:write')
  @Responds(bulkDeleted)
  bulkDelete(@InWorkspace() scope: WorkspaceScope, @Body() { emails }: RemoveAddressesDto) {
    return this.blacklist.bulkDelete(scope, emails);
  }

  /** One entry, by its ID. */
  @Get(':id')
  @Summary('Get a blacklist entry', 'getBlacklistEntry')
  @RequirePermission('blacklist:read')
  @Responds(blacklistEntryView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return scope.of(BlacklistEntry).get(id);
  }

  /**
   * Removes your workspace's entry, by its address. The address stays blocked if another workspace has added it, too.
   */
  @Delete(':email')
  @FindRecord(BlacklistEntry, 'email', (text) => ({ value: normalizeEmail(text) }))
  @Summary('Remove an address from the blacklist', 'deleteBlacklistEntry')
  @RequirePermission('blacklist:write')
  @RespondsNoContent()
  remove(@InWorkspace() scope: WorkspaceScope, @Param('email') email: string) {
    return this.blacklist.remove(scope, email);
  }
}
