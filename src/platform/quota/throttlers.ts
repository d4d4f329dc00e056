import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ThrottlerOptions } from '@nestjs/throttler';
import type { Request } from 'express';

/** A quota of one route, in addition to the general one. */
export interface RouteQuota {
  readonly name: string;
  readonly perMinute: number;
}

/**
 * Gives a route a separate counter, for all tokens of the workspace together. Its requests also count for the general
 * quota; the headers show the route's counter.
 */
export const Quota = Reflector.createDecorator<RouteQuota>();

export const MINUTE_SECONDS = 60;
export const ROUTE_THROTTLER = 'route';
/** How many times the quota of a token, or of an inbound key, all of a workspace have together. */
export const WORKSPACE_FACTOR = 10;

/** What the token guard adds to a request. */
interface Caller {
  readonly token_id: number;
  readonly workspace_id: number;
}

/** @returns the caller of a request, if its route requires a token */
export const callerOf = (context: ExecutionContext): Caller | undefined =>
  context.switchToHttp().getRequest<Request & { user?: Caller }>().user;

/** @returns the throttlers of the token, the workspace and the route, in the order in which they refuse a request */
export function createThrottlers(perMinute: number, reflector: Reflector): ThrottlerOptions[] {
  const ttl = MINUTE_SECONDS * 1000;
  const routeQuota = (context: ExecutionContext): RouteQuota | undefined => reflector.get(Quota, context.getHandler());
  const workspace = (context: ExecutionContext): string => `workspace:${callerOf(context)?.workspace_id}`;
  return [
    { name: 'token', ttl, limit: perMinute, getTracker: (_, context) => `token:${callerOf(context)?.token_id}` },
    {
      name: 'workspace',
      ttl,
      limit: perMinute * WORKSPACE_FACTOR,
      getTracker: (_, context) => workspace(context),
    },
    {
      name: ROUTE_THROTTLER,
      ttl,
      skipIf: (context) => !routeQuota(context),
      limit: (context) => routeQuota(context)?.perMinute ?? 0,
      getTracker: (_, context) => `${routeQuota(context)?.name}:${workspace(context)}`,
    },
  ];
}
