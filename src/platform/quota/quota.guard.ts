import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { TooManyRequests } from '../errors/index.js';

/** A quota of one route, in addition to the general one. */
export interface RouteQuota {
  readonly name: string;
  readonly perMinute: number;
}

const ROUTE_QUOTA = Symbol('route quota');

/**
 * Gives a route a separate counter. Its requests also count for the general quota; the headers show the route's
 * counter.
 */
export const Quota = (quota: RouteQuota) => SetMetadata(ROUTE_QUOTA, quota);

type Caller = Request & { user?: { token_id: number } };

/**
 * Limits the requests per token, over all routes and processes (API v1, "Limits"). Every authenticated response, a 429
 * too, has the counters in its `X-RateLimit-*` headers.
 */
@Injectable()
export class QuotaGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
  ) {
    super(options, storage, reflector);
  }

  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return context.switchToHttp().getRequest<Caller>().user === undefined;
  }

  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    await super.handleRequest(request);
    const quota = this.reflector.get<RouteQuota | undefined>(ROUTE_QUOTA, request.context.getHandler());
    if (!quota) return true;
    const generateKey = (_: ExecutionContext, tracker: string): string => `${quota.name}:${tracker}`;
    return super.handleRequest({ ...request, limit: quota.perMinute, generateKey });
  }

  protected override async getTracker(request: Caller): Promise<string> {
    return `token:${request.user?.token_id}`;
  }

  protected override generateKey(_context: ExecutionContext, tracker: string): string {
    return tracker;
  }

  protected override async throwThrottlingException(
    context: ExecutionContext,
    detail: ThrottlerLimitDetail,
  ): Promise<void> {
    const response = context.switchToHttp().getResponse<Response>();
    response.setHeader('X-RateLimit-Limit', detail.limit);
    response.setHeader('X-RateLimit-Remaining', 0);
    throw new TooManyRequests();
  }
}
