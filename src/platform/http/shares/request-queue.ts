import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import { FairQueue } from '@outreach/concurrency';
import { closeSignal } from '@outreach/http-api/requests';
import { UPLOAD } from '@outreach/http-api/upload';
import { FAIR_QUEUES } from '../../concurrency/index.js';
import { Database } from '../../database/index.js';
import { Busy } from '../../errors/index.js';
import { NETWORK_WAIT, type NetworkWait } from './network-wait.js';
import type { ServiceRequest } from '../requests/index.js';

const WAIT_LIMIT = { milliseconds: 30_000, error: () => new Busy() };

/**
 * Shares this process between the workspaces: a workspace with many requests in progress does not make those of another
 * wait. What is beyond its part waits in a line of its own, and is refused when the line is long. Runs before the first
 * guard that reads records.
 *
 * An upload is not counted here, because it waits for the client's network. A request that waits for the network of
 * another host (`@WaitsForNetwork`) takes none of the shared places either: each workspace has a few for such requests.
 */
@Injectable()
export class RequestQueueGuard implements CanActivate {
  private readonly queue: FairQueue;
  private readonly networkQueues: Readonly<Record<NetworkWait, FairQueue>> = {
    lookup: new FairQueue(FAIR_QUEUES.lookupRequests),
    connection: new FairQueue(FAIR_QUEUES.connectionRequests),
  };

  constructor(
    private readonly reflector: Reflector,
    database: Database,
  ) {
    this.queue = new FairQueue(FAIR_QUEUES.requests(database.poolSize));
  }

  /** @throws Busy if too many requests of the workspace are waiting, or after half a minute */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    if (!request.user || this.reflector.get<unknown>(UPLOAD, context.getHandler())) return true;
    const response = http.getResponse<Response>();
    const { workspace_id } = request.user;
    const queue = this.queueOf(context);
    const keep = (release: () => void): boolean => {
      request.releasePlace = release;
      // For a request that a later guard refuses.
      response.once('close', release);
      return true;
    };
    const release = queue.tryAcquire(workspace_id);
    return release ? keep(release) : queue.acquire(workspace_id, closeSignal(response), WAIT_LIMIT).then(keep);
  }

  private queueOf(context: ExecutionContext): FairQueue {
    const wait = this.reflector.get<NetworkWait | undefined>(NETWORK_WAIT, context.getHandler());
    return wait ? this.networkQueues[wait] : this.queue;
  }
}

/** Releases the place of a request when its handler has ended, so that a slow download does not keep it. */
@Injectable()
export class RequestQueueInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { releasePlace } = http.getRequest<ServiceRequest>();
    if (!releasePlace) return next.handle();
    // If the client closes the connection, the handler runs on.
    http.getResponse<Response>().off('close', releasePlace);
    return next.handle().pipe(finalize(releasePlace));
  }
}
