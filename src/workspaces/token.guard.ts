import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { Unauthorized } from '@outreach/http-errors';
import { isPublicRoute } from '@outreach/http-api/routes';
import { Database } from '../platform/database/index.js';
import type { Principal, ServiceRequest } from '../platform/http/requests/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { TokenCache, type TokenRefusal } from './token-cache.js';

const MISSING = 'The header Authorization is missing. It must be "Bearer", a space and a token.';
const NOT_BEARER = 'The header Authorization must be "Bearer", a space and a token.';

/** What a client reads, so that the person behind it knows what to look at. */
const REFUSALS: Readonly<Record<TokenRefusal, string>> = {
  malformed: 'This is not a token: one begins with "out_" and has at least 40 characters after it. Is it complete?',
  unknown: 'The token is unknown. It may belong to another installation, or it was revoked.',
  expired: 'The token has expired.',
};

/** Bearer tokens (RFC 6750), accepted in the `Authorization` header only, because queries and bodies may be logged. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly tokenCache: TokenCache) {
    super();
  }

  override authenticate(request: Request): void {
    super.authenticate({ headers: request.headers } as Request);
  }

  /** @throws Unauthorized */
  async validate(token: string): Promise<Principal> {
    const found = await this.tokenCache.find(token);
    if (typeof found === 'string') throw new Unauthorized(REFUSALS[found]);
    return found;
  }
}

const BEARER = /^Bearer (\S+)$/;

/** Responds with 401 if the token is missing or not valid; otherwise opens the scope of the caller's workspace. */
@Injectable()
export class TokenGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly database: Database,
    private readonly tokenCache: TokenCache,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublicRoute(this.reflector, context)) return true;
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    // Passport takes as long as everything else until the controller, so it is not asked about a cached token.
    const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    const cached = token ? this.tokenCache.findCached(token) : undefined;
    if (cached) request.user = cached;
    else await super.canActivate(context);
    if (!request.user) throw new Unauthorized(MISSING);
    request.scope = await WorkspaceScope.open(request.user.workspace_id, this.database);
    // A token also ends by the clock of its workspace, which may be ahead of the real time.
    const { expires_at: end } = request.user;
    if (end && end <= request.scope.clock.now()) throw new Unauthorized(REFUSALS.expired);
    return true;
  }

  override handleRequest<User>(error: Error | null, user: User, _info: unknown, context: ExecutionContext): User {
    if (user) return user;
    const { authorization } = context.switchToHttp().getRequest<Request>().headers;
    throw error ?? new Unauthorized(authorization ? NOT_BEARER : MISSING);
  }
}
