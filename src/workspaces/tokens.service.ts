import { Injectable } from '@nestjs/common';
import { hashToken, randomToken } from '../platform/crypto/index.js';
import { ValidationFailed } from '../platform/errors/index.js';
import type { Permission, Principal } from '../platform/http/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { ApiToken } from './api-token.entity.js';
import type { CreateTokenDto } from './dto/create-token.dto.js';

/** What a new token may do and for how long. */
export interface TokenGrant {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expires_at?: Date | null | undefined;
}

@Injectable()
export class TokensService {
  /** Issues a token. Its plaintext (`out_` and 43 URL-safe characters) is given back once and never stored. */
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

  /** Issues a token on behalf of a caller, who cannot give away what it lacks. @throws ValidationFailed */
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
