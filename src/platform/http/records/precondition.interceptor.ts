import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { defineReason, DomainError } from '@outreach/http-errors';
import { matchesStrongly, matchesWeakly } from '@outreach/http-api/responses';
import { type EntityRoute, Representations } from './representations.js';
import type { ServiceRequest } from '../requests/index.js';

const PRECONDITION_FAILED = defineReason(
  'precondition_failed',
  412,
  'The record is not in the state that `If-Match` or `If-None-Match` requires.',
);

/** 412: the record has changed since the client has read it, or exists although it should not. */
export class PreconditionFailed extends DomainError {
  readonly status = 412;
  override readonly reason = PRECONDITION_FAILED;

  constructor() {
    super('The record is not in the state that the request requires. Read it again, and repeat the request.');
  }
}

/** `PATCH` has become `PUT`. Actions ignore both headers. */
const CONDITIONAL_METHODS: ReadonlySet<string> = new Set(['PUT', 'DELETE']);

/**
 * Implements `If-Match` and `If-None-Match` of requests that change or delete a record (RFC 9110, 13.1). The condition is
 * checked first before the input is validated, and again as the first thing in the transaction that changes the record,
 * under its lock: of two requests with the same condition, one finds what the other has done. Runs after the check that
 * the record exists (404).
 */
@Injectable()
export class PreconditionInterceptor implements NestInterceptor {
  constructor(private readonly representations: Representations) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
    if ((match === undefined && noneMatch === undefined) || !CONDITIONAL_METHODS.has(request.method))
      return next.handle();
    const route = this.representations.of(context);
    return route ? this.run(route, { request, response: http.getResponse<Response>() }, next) : next.handle();
  }

  /** @throws PreconditionFailed, NotFound; what the handler throws. Nothing is changed then. */
  private async run(
    route: EntityRoute,
    { request, response }: { readonly request: ServiceRequest; readonly response: Response },
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const { scope: outside } = request;
    if (!outside || request.inputErrors) return next.handle();
    let current = await this.representations.tag(route, request, outside);
    assertMatches(request, current);
    const { scope, commit } = outside.delayCommit(async (_database, tx) => {
      await this.representations.lock(route, request, tx);
      current = await this.representations.tag(route, request, tx);
      assertMatches(request, current);
    });
    request.scope = scope;
    try {
      const body: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      // Nothing locks a record that does not exist: another request may have created it, and this one has changed it.
      if (current === undefined && response.statusCode !== 201) throw new PreconditionFailed();
      await commit.finish();
      return of(body);
    } catch (error) {
      await commit.abandon();
      throw error;
    }
  }
}

/** @throws PreconditionFailed */
function assertMatches({ headers }: ServiceRequest, current: string | undefined): void {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined && !matchesStrongly(match, current)) throw new PreconditionFailed();
  if (noneMatch !== undefined && matchesWeakly(noneMatch, current)) throw new PreconditionFailed();
}
