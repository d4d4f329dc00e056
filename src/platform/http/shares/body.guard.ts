import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { MemoryQueue } from '@outreach/concurrency';
import { type BodyParser, bodyParser, MEGABYTE, type NonJsonBodies, readBody } from '@outreach/http-api/body';
import { closeSignal } from '@outreach/http-api/requests';
import { isPublicRoute } from '@outreach/http-api/routes';
import { Busy } from '../../errors/index.js';
import type { ServiceRequest } from '../requests/index.js';

/** Injection token of the {@link NonJsonBodies}. */
export const NON_JSON_BODIES = Symbol('non-JSON bodies');

/** How much of a workspace's small bodies, and of its large ones, this process has in memory, or is receiving. */
const MAX_BYTES_PER_WORKSPACE = 16 * MEGABYTE;
/** Bodies up to this size count for it: 256 of a workspace at a time, which do not wait for large ones. */
const SMALL_BODY_BYTES = 65_536;
const MAX_WAITING_PER_WORKSPACE = 100;
const WAIT_LIMIT = { milliseconds: 30_000, error: () => new Busy() };
const LIMITS = {
  bytesPerKey: MAX_BYTES_PER_WORKSPACE,
  waiting: { perKey: MAX_WAITING_PER_WORKSPACE, error: WAIT_LIMIT.error },
};

/**
 * Reads the body of a request that the guards before this one have accepted: the body of a request without a valid
 * token stays unread. Public routes take no JSON: those that take other bodies read them themselves, the others none.
 *
 * The bodies of a workspace share a part of the memory until their responses are written. Beyond it, a body waits
 * unread, so that the client cannot send it. A body that has arrived together with its headers does not wait.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  private readonly smallBodies = new MemoryQueue(LIMITS);
  private readonly largeBodies = new MemoryQueue(LIMITS);

  constructor(
    @Inject(NON_JSON_BODIES) private readonly nonJsonBodies: NonJsonBodies,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Busy if too many bodies of the workspace are waiting, or after half a minute */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const takesNone =
      isPublicRoute(this.reflector, context) && !this.nonJsonBodies.some(({ path }) => path.test(request.path));
    const parser = takesNone ? undefined : bodyParser(request, this.nonJsonBodies);
    if (!parser) return true;
    return this.read(parser, request, http.getResponse<Response>());
  }

  private async read(parser: BodyParser, request: ServiceRequest, response: Response): Promise<boolean> {
    if (!hasArrived(request)) await this.acquireMemory(request, response);
    await readBody(parser, request, response);
    return true;
  }

  private async acquireMemory({ user, headers }: ServiceRequest, response: Response): Promise<void> {
    if (!user) return;
    const declared = isCompressed(headers) ? MEGABYTE : Number(headers['content-length'] ?? MEGABYTE);
    const counted = Math.max(declared, SMALL_BODY_BYTES);
    const queue = counted > SMALL_BODY_BYTES ? this.largeBodies : this.smallBodies;
    const use = (): number => counted;
    const release =
      queue.tryAcquire(user.workspace_id, use) ??
      (await queue.acquire(user.workspace_id, use, closeSignal(response), WAIT_LIMIT));
    if (response.closed) release();
    else response.once('close', release);
  }
}

/** Whether the body is in memory already. Node reads only a few dozen kilobytes that are not asked for. */
const hasArrived = ({ complete, headers }: ServiceRequest): boolean => complete && !isCompressed(headers);

const isCompressed = (headers: ServiceRequest['headers']): boolean =>
  (headers['content-encoding'] ?? 'identity') !== 'identity';
