import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { catchError, from, mergeMap, type Observable, of, throwError } from 'rxjs';
import { Reflector } from '@nestjs/core';
import { Conflict } from '../errors/index.js';
import { addInputErrors, errorResponse, IGNORES_IDEMPOTENCY_KEY, type ServiceRequest } from '../http/index.js';
import { type StoredResponse, IdempotencyStore, type IdempotentRequest } from './idempotency-store.js';

const HEADER = 'idempotency-key';
const MAX_KEY_LENGTH = 255;
/** Of a longer path the digest is stored, because PostgreSQL limits the length of an indexed text. */
const MAX_PATH_LENGTH = 500;

/** 409: the first request was done, but its response is too large to be replayed. */
class ResponseNotStored extends Conflict {
  override readonly reason = 'response_not_stored';

  constructor(status: number) {
    super(`The first request with this Idempotency-Key ended with ${status}; its response was too large to be stored.`);
  }
}

/**
 * Implements `Idempotency-Key` for every POST: for 24 hours a request with the same token, path and key gets the first
 * response again and changes nothing. Responses with the status 401, 429 or 5xx are not stored. Routes with
 * `@IgnoresIdempotencyKey` change nothing anyway.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    const key = request.headers[HEADER];
    if (request.method !== 'POST' || typeof key !== 'string' || !request.user) return next.handle();
    if (this.reflector.get<true | undefined>(IGNORES_IDEMPOTENCY_KEY, context.getHandler())) return next.handle();
    if (key.length > MAX_KEY_LENGTH || key.length === 0) {
      addInputErrors(request, { 'Idempotency-Key': [`The key must have 1 to ${MAX_KEY_LENGTH} characters.`] });
      return next.handle();
    }
    const response = context.switchToHttp().getResponse<Response>();
    const path = storedPath(request.path);
    const keyedRequest = { token_id: request.user.token_id, path, key, body_hash: await digest(request) };
    const stored = await this.store.reserve(keyedRequest);
    return stored ? of(replay(stored, keyedRequest, response)) : this.runFirst(keyedRequest, next, response);
  }

  private runFirst(keyedRequest: IdempotentRequest, next: CallHandler, response: Response): Observable<unknown> {
    return next.handle().pipe(
      catchError((thrown: unknown) =>
        from(this.storeError(keyedRequest, thrown)).pipe(mergeMap(() => throwError(() => thrown))),
      ),
      // If this fails, the key remains reserved, because what the request does is done.
      mergeMap(async (body: unknown) => {
        await this.store.save(keyedRequest, response.statusCode, JSON.stringify(body ?? null));
        return body;
      }),
    );
  }

  private storeError(keyedRequest: IdempotentRequest, thrown: unknown): Promise<void> {
    const { status, body } = errorResponse(thrown);
    return status >= 500 || status === 401 || status === 429
      ? this.store.release(keyedRequest)
      : this.store.save(keyedRequest, status, JSON.stringify(body));
  }
}

function replay(stored: StoredResponse, keyedRequest: IdempotentRequest, response: Response): unknown {
  if (stored.body_hash !== keyedRequest.body_hash)
    throw new Conflict('This Idempotency-Key was used with another body.');
  if (stored.status === null) throw new Conflict('The first request with this Idempotency-Key is still running.');
  if (stored.response === null) throw new ResponseNotStored(stored.status);
  response.setHeader('Idempotency-Replayed', 'true');
  response.status(stored.status);
  return JSON.parse(stored.response) as unknown;
}

const storedPath = (path: string): string =>
  path.length <= MAX_PATH_LENGTH ? path : `sha256:${createHash('sha256').update(path).digest('base64url')}`;

/** SHA-256 of the body, in base64url; of an upload, of its fields and its file. */
async function digest({ body, rawBody, upload }: ServiceRequest): Promise<string> {
  return createHash('sha256')
    .update(rawBody ?? JSON.stringify(body ?? null))
    .update((await upload?.digest()) ?? '')
    .digest('base64url');
}
