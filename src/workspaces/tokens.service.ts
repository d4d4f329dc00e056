import { Injectable } from '@nestjs/common';
import { hashToken, randomToken } from '../platform/crypto/index.js';
import { ValidationFailed } from '../platform/errors/index.js';
import type { Permission, Principal } from '../platform/http/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { ApiToken } from './api-token.entity.js';
import type { CreateTokenDto } from './dto/create-token.dto.js';

/** The name, permissions and expiry of a new token. */
export interface TokenGrant {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expires_at?: Date | null | undefined;
}

/** Creates API tokens. */
@Injectable()
export class TokensService {
  /** Creates a token. Returns its plaintext (`out_` and 43 URL-safe characters), which is not stored. */
  async issue(scope: WorkspaceScope, grant: TokenGrant): Promise<{ record: ApiToken; token: string }> {
    const token = randomToken('out_');
    const record = await scope.of(ApiToken).insert({
      name: grant.name,
      hash: hashToken(token),
      permissions: [...grant.permissions],
      expires_at: grant.expires_at ?? null,
    });
    return { record, token };
  }

  /** Creates a token for a caller. @throws ValidationFailed that names each permission that the caller's token lacks */
  issueFor(
    scope: WorkspaceScope,
    caller: Principal,
    dto: CreateTokenDto,
  ): Promise<{ record: ApiToken; token: string }> {
    const lacking = dto.permissions.flatMap((permission, index) =>
      caller.permissions.includes(permission)
        ? []
        : [[`permissions.${index}`, ['Your own token lacks this permission.']] as const],
    );
    if (lacking.length > 0) throw new ValidationFailed(Object.fromEntries(lacking));
    return this.issue(scope, dto);
  }
}
