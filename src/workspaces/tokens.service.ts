import { Injectable } from '@nestjs/common';
import { hashToken, randomToken } from '@outreach/keyring';
import type { Permission } from '@outreach/http-api/routes';
import type { Principal } from '../platform/http/requests/index.js';
import { sql } from '../platform/database/index.js';
import { WorkspaceLimits } from '../platform/limits/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { ApiToken } from './api-token.entity.js';
import type { CreateTokenDto } from './dto/create-token.dto.js';

/** The name, permissions and expiry of a new token. */
export interface TokenGrant {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expires_at?: Date | null | undefined;
  /** The ID of the token that creates it. */
  readonly created_by?: number;
}

/** A new token with its plaintext, which is not stored. */
export interface IssuedToken {
  readonly record: ApiToken;
  readonly token: string;
}

/** Creates a token. Its plaintext is `out_` and 43 URL-safe characters. */
export async function issueToken(scope: WorkspaceScope, grant: TokenGrant): Promise<IssuedToken> {
  const token = randomToken('out_');
  const record = await scope.of(ApiToken).insert({
    name: grant.name,
    hash: hashToken(token),
    permissions: [...grant.permissions],
    expires_at: grant.expires_at ?? null,
    created_by: grant.created_by ?? null,
  });
  return { record, token };
}

@Injectable()
export class TokensService {
  constructor(private readonly limits: WorkspaceLimits) {}

  /** Creates a token. `tokenErrors` makes sure that it can do no more than that of the caller. @throws LimitReached */
  issueFor(scope: WorkspaceScope, caller: Principal, dto: CreateTokenDto): Promise<IssuedToken> {
    const { name, permissions, expires_at } = dto;
    return scope.transaction(async (tx) => {
      const issued = await issueToken(tx, { name, permissions, expires_at, created_by: caller.token_id });
      await this.limits.check(tx, 'tokens', sql`SELECT 1 FROM api_tokens WHERE workspace_id = ${tx}`);
      return issued;
    });
  }
}
