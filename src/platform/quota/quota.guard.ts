import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../config/index.js';
import { TooManyRequests } from '../errors/index.js';
import { type CounterState, QuotaCounters } from './quota-counters.js';

/** A quota of one route, in addition to the general one. */
export interface RouteQuota {
  readonly name: string;
  readonly perMinute: number;
}

/** How many times the quota of a token all tokens of a workspace have together. */
const WORKSPACE_FACTOR = 10;

const ROUTE_QUOTA = Symbol('route quota');

/**
 * Gives a route a separate counter, for all tokens of the workspace together. Its requests also count for the general
 * quota; the headers show the route's counter.
 */
export const Quota = (quota: RouteQuota) => SetMetadata(ROUTE_QUOTA, quota);

/** What the token guard adds to a request. */
type CallerRequest = Request & { user?: { readonly token_id: number; readonly workspace_id: number } };

/**
 * Limits the requests per token and per workspace, over all routes and processes (API v1, "Limits"). Every
 * authenticated response, a 429 too, has the quota of the token or the route in its `X-RateLimit-*` headers.
 */
@Injectable()
export class QuotaGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'rate_limit_per_minute'>,
    private readonly counters: QuotaCounters,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { user } = context.switchToHttp().getRequest<CallerRequest>();
    if (!user) return true;
    const response = context.switchToHttp().getResponse<Response>();
    const limit = this.config.rate_limit_per_minute;
    const general = [
      { key: `token:${user.token_id}`, limit },
      { key: `workspace:${user.workspace_id}`, limit: limit * WORKSPACE_FACTOR },
    ];
    const refused = this.counters.refused(general);
    if (refused) throw refusal(response, { ...refused, limit });
    const route = this.reflector.get<RouteQuota | undefined>(ROUTE_QUOTA, context.getHandler());
    const routeCounters = route
      ? [{ key: `${route.name}:workspace:${user.workspace_id}`, limit: route.perMinute }]
      : [];
    const [token, workspace, routeState] = await this.counters.count([...general, ...routeCounters]);
    if (!token || !workspace) throw new Error('A request was not counted.');
    for (const state of [token, workspace]) if (state.retryAfter) throw refusal(response, { ...state, limit });
    if (routeState?.retryAfter) throw refusal(response, routeState);
    showQuota(response, routeState ?? { limit, remaining: Math.min(token.remaining, workspace.remaining) });
    return true;
  }
}

function refusal(response: Response, state: CounterState): TooManyRequests {
  showQuota(response, state);
  response.setHeader('Retry-After', state.retryAfter ?? 1);
  return new TooManyRequests();
}

function showQuota(response: Response, { limit, remaining }: CounterState): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
}
