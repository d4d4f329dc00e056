import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { FairQueue } from '../concurrency/index.js';
import { closeSignal } from './close-signal.js';
import type { ServiceRequest } from './request.js';

const LARGE_RESPONSE = Symbol('large response');

/** How many large responses are read from the database at the same time in this process. */
const MAX_CONCURRENT = 2;

/** How many large responses of a workspace this process has in memory, those included that the client has not read. */
const MAX_OPEN_PER_WORKSPACE = 3;
const MAX_WAITING_PER_WORKSPACE = 20;

/** Declares that a response of the route may have many megabytes, for example a page of templates with their bodies. */
export const LargeResponse = (): MethodDecorator => SetMetadata(LARGE_RESPONSE, true);

/** Limits how many large responses are in memory, for a workspace and in all. */
@Injectable()
export class LargeResponseInterceptor implements NestInterceptor {
  private readonly open = new FairQueue({
    concurrency: Number.POSITIVE_INFINITY,
    perKey: MAX_OPEN_PER_WORKSPACE,
    waitingPerKey: MAX_WAITING_PER_WORKSPACE,
  });
  private readonly handlers = new FairQueue({ concurrency: MAX_CONCURRENT });

  constructor(private readonly reflector: Reflector) {}

  /** @throws Busy if too many large responses of the workspace are waiting */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const { user } = http.getRequest<ServiceRequest>();
    if (!user || !this.reflector.get<unknown>(LARGE_RESPONSE, context.getHandler())) return next.handle();
    return this.handle(user.workspace_id, http.getResponse<Response>(), next);
  }

  private async handle(workspaceId: number, response: Response, next: CallHandler): Promise<Observable<unknown>> {
    const signal = closeSignal(response);
    const release = await this.open.acquire(workspaceId, signal);
    if (response.closed) release();
    else response.once('close', release);
    return of(await this.handlers.run(workspaceId, () => lastValueFrom(next.handle()), signal));
  }
}
