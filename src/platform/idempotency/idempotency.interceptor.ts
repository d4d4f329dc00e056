import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { catchError, from, mergeMap, type Observable, of, throwError } from 'rxjs';
import { Conflict, ValidationFailed } from '../errors/index.js';
import { errorAnswer, type ServiceRequest } from '../http/index.js';
import { type KeptAnswer, KeptAnswers, type RequestKey } from './answers.store.js';

const HEADER = 'idempotency-key';
const LONGEST_KEY = 255;

/**
 * `Idempotency-Key` on any POST: for 24 hours the same token, path and key replay the first answer and do nothing
 * twice. Answers of 401, 429 and 5xx are not kept.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly answers: KeptAnswers) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    const key = request.headers[HEADER];
    if (request.method !== 'POST' || typeof key !== 'string' || !request.user) return next.handle();
    if (key.length > LONGEST_KEY || key.length === 0) {
      throw new ValidationFailed({ 'Idempotency-Key': [`The key must have 1 to ${LONGEST_KEY} characters.`] });
    }
    const response = context.switchToHttp().getResponse<Response>();
    const own = { token_id: request.user.token_id, path: request.path, key, body_hash: await digest(request) };
    const kept = await this.answers.reserve(own);
    return kept ? of(replay(kept, own, response)) : this.first(own, next, response);
  }

  private first(own: RequestKey, next: CallHandler, response: Response): Observable<unknown> {
    return next.handle().pipe(
      mergeMap(async (body: unknown) => {
        await this.answers.keep(own, response.statusCode, JSON.stringify(body ?? null));
        return body;
      }),
      catchError((thrown: unknown) =>
        from(this.keepRefusal(own, thrown)).pipe(mergeMap(() => throwError(() => thrown))),
      ),
    );
  }

  private keepRefusal(own: RequestKey, thrown: unknown): Promise<void> {
    const { status, body } = errorAnswer(thrown);
    return status >= 500 || status === 401 || status === 429
      ? this.answers.release(own)
      : this.answers.keep(own, status, JSON.stringify(body));
  }
}

function replay(kept: KeptAnswer, own: RequestKey, response: Response): unknown {
  if (kept.body_hash !== own.body_hash) throw new Conflict('This Idempotency-Key was used with another body.');
  if (kept.status === null) throw new Conflict('The first request with this Idempotency-Key still runs.');
  response.setHeader('Idempotency-Replayed', 'true');
  response.status(kept.status);
  return JSON.parse(kept.answer ?? 'null') as unknown;
}

/** The body as it was sent; of an upload its fields and its file. */
async function digest({ body, rawBody, upload }: ServiceRequest): Promise<string> {
  return createHash('sha256')
    .update(rawBody ?? JSON.stringify(body ?? null))
    .update((await upload?.digest()) ?? '')
    .digest('base64url');
}
