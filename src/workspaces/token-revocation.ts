import { Injectable } from '@nestjs/common';
import { defineReason, Forbidden } from '@outreach/http-errors';
import type { Principal } from '../platform/http/requests/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { ApiToken } from './api-token.entity.js';
import { TokenCache } from './token-cache.js';

const PERMISSIONS_EXCEEDED = defineReason(
  'permissions_exceeded',
  403,
  'The token to be revoked has permissions that your own token lacks.',
);

@Injectable()
export class TokenRevocation {
  constructor(private readonly tokenCache: TokenCache) {}

  /**
   * Revokes a token and all tokens that it created, directly or through others: a foreign key deletes them. They stop
   * working immediately in this process, and within a second in the others.
   * @throws NotFound; Forbidden if the token has a permission that the caller's token lacks
   */
  async revoke(scope: WorkspaceScope, caller: Principal, id: number): Promise<void> {
    const tokens = scope.of(ApiToken);
    const { permissions } = await tokens.get(id);
    const lacking = permissions.filter((permission) => !caller.permissions.includes(permission));
    if (lacking.length > 0) {
      throw new Forbidden(
        PERMISSIONS_EXCEEDED,
        `Your own token lacks permissions of this token: ${lacking.join(', ')}.`,
      );
    }
    await tokens.delete(id);
    this.tokenCache.removeTokensOf(scope.workspace_id);
  }
}
