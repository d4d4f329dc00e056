import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerOptions,
} from '@nestjs/throttler';
import { TooManyRequests } from '@outreach/http-errors';
import { QuotaCounters } from './quota-counters.js';
import { callerOf, ROUTE_THROTTLER } from './throttlers.js';

/** A counter of a request, before it is counted. */
type Counter = Pick<ThrottlerLimitDetail, 'key' | 'tracker' | 'ttl' | 'limit'> & { readonly isGeneral: boolean };

/**
 * Limits the requests per token and per workspace, over all routes and processes (API v1, "Limits"). Every
 * authenticated response, a 429 too, has the quota of the token or the route in its `X-RateLimit-*` headers.
 */
@Injectable()
export class QuotaGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    private readonly counters: QuotaCounters,
    reflector: Reflector,
  ) {
    super(options, counters, reflector);
  }

  /** Counts a request for all throttlers in one batch; `ThrottlerGuard` would wait for one after the other. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (await this.shouldSkip(context)) return true;
    const requested = await this.countersOf(context);
    const general = requested.filter(({ isGeneral }) => isGeneral);
    const generalLimit = lowest(general.map(({ limit }) => limit));
    for (const counter of general) {
      const refusal = this.counters.refused(counter.key);
      if (refusal) await this.throwThrottlingException(context, { ...counter, ...refusal, limit: generalLimit });
    }
    const counted = await Promise.all(requested.map((counter) => this.count(counter)));
    for (const counter of counted) {
      const limit = counter.isGeneral ? generalLimit : counter.limit;
      if (counter.isBlocked) await this.throwThrottlingException(context, { ...counter, limit });
    }
    const routes = counted.filter(({ isGeneral }) => !isGeneral);
    this.showQuota(context, routes.length > 0 ? routes : counted);
    return true;
  }

  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return callerOf(context) === undefined;
  }

  /** The trackers are unique and do not depend on the route. */
  protected override generateKey(_context: ExecutionContext, tracker: string): string {
    return tracker;
  }

  protected override async throwThrottlingException(
    context: ExecutionContext,
    { limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    this.showQuota(context, [{ limit, totalHits: limit }]);
    this.setResponseHeader(this.getRequestResponse(context).res, 'Retry-After', timeToBlockExpire);
    throw new TooManyRequests();
  }

  private countersOf(context: ExecutionContext): Promise<Counter[]> {
    const throttlers = this.throttlers.filter(({ skipIf }) => !skipIf?.(context));
    return Promise.all(throttlers.map((throttler) => this.counterOf(throttler, context)));
  }

  private async counterOf(throttler: ThrottlerOptions, context: ExecutionContext): Promise<Counter> {
    const { req } = this.getRequestResponse(context);
    const tracker = await (throttler.getTracker?.(req, context) ?? this.getTracker(req));
    return {
      tracker,
      key: this.generateKey(context, tracker),
      ttl: await resolveNumber(throttler.ttl, context),
      limit: await resolveNumber(throttler.limit, context),
      isGeneral: throttler.name !== ROUTE_THROTTLER,
    };
  }

  private async count(counter: Counter): Promise<Counter & ThrottlerLimitDetail> {
    return { ...counter, ...(await this.counters.increment(counter.key, counter.ttl, counter.limit)) };
  }

  private showQuota(
    context: ExecutionContext,
    details: readonly Pick<ThrottlerLimitDetail, 'limit' | 'totalHits'>[],
  ): void {
    const { res } = this.getRequestResponse(context);
    const remaining = lowest(details.map(({ limit, totalHits }) => limit - totalHits));
    this.setResponseHeader(res, `${this.headerPrefix}-Limit`, lowest(details.map(({ limit }) => limit)));
    this.setResponseHeader(res, `${this.headerPrefix}-Remaining`, remaining);
  }
}

const lowest = (numbers: readonly number[]): number => Math.min(...numbers);

const resolveNumber = (value: ThrottlerOptions['limit'], context: ExecutionContext): number | Promise<number> =>
  typeof value === 'function' ? value(context) : value;
