import { Injectable } from '@nestjs/common';
import { hashToken, randomToken } from '../platform/crypto/index.js';
import { type FieldErrors, ValidationFailed } from '../platform/errors/index.js';
import type { Permission, Principal } from '../platform/http/index.js';
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

/** Creates API tokens for the API. */
@Injectable()
export class TokensService {
  constructor(private readonly limits: WorkspaceLimits) {}

  /**
   * Creates a token that can do no more than that of the caller, nor for longer.
   * @throws ValidationFailed that names each permission that the caller's token lacks, and an expiry after its own;
   *   LimitReached
   */
  issueFor(scope: WorkspaceScope, caller: Principal, dto: CreateTokenDto): Promise<IssuedToken> {
    const errors = { ...permissionErrors(caller, dto), ...expiryErrors(caller, dto) };
    if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
    const { name, permissions, expires_at } = dto;
    return scope.transaction(async (tx) => {
      const issued = await issueToken(tx, { name, permissions, expires_at, created_by: caller.token_id });
      await this.limits.check(tx, 'tokens', sql`SELECT 1 FROM api_tokens WHERE workspace_id = ${tx}`);
      return issued;
    });
  }
}

const permissionErrors = (caller: Principal, { permissions }: CreateTokenDto): FieldErrors =>
  Object.fromEntries(
    permissions.flatMap((permission, index) =>
      caller.permissions.includes(permission)
        ? []
        : [[`permissions.${index}`, ['Your own token lacks this permission.']] as const],
    ),
  );

function expiryErrors(caller: Principal, { expires_at: expiresAt }: CreateTokenDto): FieldErrors {
  if (!caller.expires_at || (expiresAt && expiresAt <= caller.expires_at)) return {};
  const latest = caller.expires_at.toISOString();
  return { expires_at: [`expires_at must be ${latest} or earlier, because your own token expires then`] };
}
