import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { Caller, InWorkspace, type Principal } from '../platform/http/requests/index.js';
import { ListQuery, WorkspaceScope } from '../platform/tenancy/index.js';
import { ApiToken } from './api-token.entity.js';
import { CreateTokenDto } from './dto/create-token.dto.js';
import { newTokenView, tokenView } from './token.view.js';
import { TokenRevocation } from './token-revocation.js';
import { TokensService } from './tokens.service.js';

export class TokenListQuery extends ListQuery({ sort: ['created_at', 'name'], search: ['name'] }) {}

@Controller('v1/tokens')
export class TokensController {
  constructor(
    private readonly tokens: TokensService,
    private readonly revocation: TokenRevocation,
  ) {}

  /** The tokens of the workspace, without the tokens themselves. */
  @Get()
  @RequirePermission('tokens:read')
  @RespondsPage(tokenView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: TokenListQuery) {
    return scope.of(ApiToken).page(query);
  }

  /** Creates a token with at most the permissions of the calling one. The response shows it once. */
  @Post()
  @RequirePermission('tokens:write')
  @Responds(newTokenView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Caller() caller: Principal, @Body() dto: CreateTokenDto) {
    return this.tokens.issueFor(scope, caller, dto);
  }

  /**
   * Ends the token at once, with all tokens that were created with it. 403 if it has a permission that the calling
   * token lacks.
   */
  @Delete(':id')
  @Summary('Revoke a token and the tokens that it created')
  @RequirePermission('tokens:write')
  @RespondsNoContent()
  revoke(@InWorkspace() scope: WorkspaceScope, @Caller() caller: Principal, @IdParam() id: number) {
    return this.revocation.revoke(scope, caller, id);
  }
}
