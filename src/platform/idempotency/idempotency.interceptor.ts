import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of, tap } from 'rxjs';
import { Conflict, defineReason } from '@outreach/http-errors';
import { addInputErrors } from '@outreach/http-api/requests';
import {
  type AcceptedBody,
  type AcceptedResponse,
  ROUTE_RESPONSE,
  type RouteResponse,
  setAccepted,
} from '@outreach/http-api/responses';
import { IGNORES_IDEMPOTENCY_KEY, RESERVES_IDEMPOTENCY_KEY } from '@outreach/http-api/routes';
import { CONFIG, type Config } from '../config/index.js';
import { errorResponse } from '../http/error-responses/index.js';
import type { ServiceRequest } from '../http/requests/index.js';
import { type StoredResponse, IdempotencyStore, type IdempotentRequest, StillRunning } from './idempotency-store.js';

const HEADER = 'idempotency-key';
const MAX_KEY_LENGTH = 255;
/** Of a longer path the digest is stored, because PostgreSQL limits the length of an indexed text. */
const MAX_PATH_LENGTH = 500;

const KEY_REUSED = defineReason(
  'idempotency_key_reused',
  409,
  'The `Idempotency-Key` was used for a request with another body.',
);
const RESPONSE_NOT_STORED = defineReason(
  'response_not_stored',
  409,
  'The first request with this `Idempotency-Key` was done, but its response is not stored: it was larger than 64 KB, or about a person who was erased.',
);

/** 409: the first request was done, but its response cannot be replayed. */
class ResponseNotStored extends Conflict {
  constructor(status: number) {
    super(
      RESPONSE_NOT_STORED,
      `The first request with this Idempotency-Key ended with ${status}; its response is not stored, because it was too large ` +
        'or was about a person who was erased.',
    );
  }
}

/** A request with a key, and what handles it. */
interface IdempotentCall {
  readonly request: ServiceRequest;
  readonly response: Response;
  readonly next: CallHandler;
  /** For how long its key is reserved; undefined if its work and its response are one transaction. */
  readonly reservedSeconds: number | undefined;
}

/** Another request with the key has stored its response while this one was running. It is not part of a response. */
class AnotherWasFirst extends Error {}

/**
 * Implements `Idempotency-Key` for every POST: for 24 hours a request with the same token, path and key gets the first
 * response again and changes nothing. Responses with the status 401, 429 or 5xx are not stored. Routes with
 * `@IgnoresIdempotencyKey` change nothing anyway.
 *
 * The response is stored in the transaction that does the work, so that a crash leaves both or neither: the scope of the
 * request delays its commit until the response is known. The transaction has a lock on the key, which tells a concurrent
 * request that the first one is running, and ends with the process. Routes with `@ReservesIdempotencyKey` commit earlier:
 * for them a row tells it.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  /** The keys of this process whose requests may not have begun their transaction yet. */
  private readonly running = new Set<string>();

  constructor(
    private readonly store: IdempotencyStore,
    private readonly reflector: Reflector,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    const key = request.headers[HEADER];
    if (request.method !== 'POST' || typeof key !== 'string' || !request.user) return next.handle();
    if (this.reflector.get<true | undefined>(IGNORES_IDEMPOTENCY_KEY, context.getHandler())) return next.handle();
    if (key.length > MAX_KEY_LENGTH || key.length === 0) {
      addInputErrors(request, { 'Idempotency-Key': [`The key must have 1 to ${MAX_KEY_LENGTH} characters.`] });
      return next.handle();
    }
    const { workspace_id, token_id } = request.user;
    const identity = { workspace_id, token_id, path: storedPath(request.path), key };
    const response = context.switchToHttp().getResponse<Response>();
    const reservedSeconds = this.reflector.get<number | undefined>(RESERVES_IDEMPOTENCY_KEY, context.getHandler());
    const result = this.runOnce(identity, { request, response, next, reservedSeconds });
    const { accepted } = this.reflector.get<RouteResponse | undefined>(ROUTE_RESPONSE, context.getHandler()) ?? {};
    return accepted
      ? result.then((body) => body.pipe(tap((sent) => this.setHeaders(response, accepted, sent))))
      : result;
  }

  /** Headers are not stored. */
  private setHeaders(response: Response, accepted: AcceptedResponse, body: unknown): void {
    if (response.statusCode === 202) setAccepted(response, accepted, this.config.public_url, body as AcceptedBody);
  }

  private async runOnce(
    identity: Omit<IdempotentRequest, 'body_hash'>,
    call: IdempotentCall,
  ): Promise<Observable<unknown>> {
    const { request, response } = call;
    const keyedRequest = { ...identity, body_hash: await digest(request) };
    const stored = await this.store.find(keyedRequest);
    if (stored) return of(replay(stored, keyedRequest, response));
    const run = () => this.runReserved(keyedRequest, call);
    return of(await this.oncePerProcess(keyedRequest, () => this.runOrReplay(keyedRequest, response, run)));
  }

  /** @throws StillRunning */
  private async oncePerProcess<R>({ token_id, path, key }: IdempotentRequest, run: () => Promise<R>): Promise<R> {
    const id = `${token_id}:${path}:${key}`;
    if (this.running.has(id)) throw new StillRunning();
    this.running.add(id);
    try {
      return await run();
    } finally {
      this.running.delete(id);
    }
  }

  private async runOrReplay(
    keyedRequest: IdempotentRequest,
    response: Response,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof AnotherWasFirst)) throw error;
      const stored = await this.store.find(keyedRequest);
      if (!stored) throw new StillRunning();
      return replay(stored, keyedRequest, response);
    }
  }

  /** Reserves the key, if the route says so, until the response is stored. @throws what {@link runAndStore} throws */
  private async runReserved(keyedRequest: IdempotentRequest, call: IdempotentCall): Promise<unknown> {
    if (call.reservedSeconds === undefined) return this.runAndStore(keyedRequest, call);
    const until = await this.store.reserve(keyedRequest, call.reservedSeconds);
    if (!until) throw new AnotherWasFirst();
    try {
      return await this.runAndStore(keyedRequest, call);
    } finally {
      await this.store.release(keyedRequest, until);
    }
  }

  /** @throws AnotherWasFirst; what the handler throws. Nothing is changed then. */
  private async runAndStore(
    keyedRequest: IdempotentRequest,
    { request, response, next }: IdempotentCall,
  ): Promise<unknown> {
    if (!request.scope) throw new Error('A public route has no Idempotency-Key.');
    const { scope, database, commit } = request.scope.delayCommit((tx) => this.store.lock(tx, keyedRequest));
    request.scope = scope;
    try {
      const body: unknown = await lastValueFrom(next.handle());
      const text = JSON.stringify(body ?? null);
      if (!(await this.store.save(keyedRequest, response.statusCode, text, database))) throw new AnotherWasFirst();
      await commit.finish();
      return body;
    } catch (error) {
      await commit.abandon();
      await this.storeError(keyedRequest, error);
      throw error;
    }
  }

  /** @throws AnotherWasFirst */
  private async storeError(keyedRequest: IdempotentRequest, thrown: unknown): Promise<void> {
    const { status, body } = errorResponse(thrown);
    if (thrown instanceof StillRunning || status >= 500 || status === 401 || status === 429) return;
    if (!(await this.store.save(keyedRequest, status, JSON.stringify(body)))) throw new AnotherWasFirst();
  }
}

function replay(stored: StoredResponse, keyedRequest: IdempotentRequest, response: Response): unknown {
  if (stored.body_hash !== '' && stored.body_hash !== keyedRequest.body_hash)
    throw new Conflict(KEY_REUSED, 'This Idempotency-Key was used with another body.');
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
