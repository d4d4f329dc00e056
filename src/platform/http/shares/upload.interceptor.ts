import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { FairQueue } from '@outreach/concurrency';
import { withTemporaryFolder } from '@outreach/temporary-files';
import { receiveForm, UPLOAD, type UploadRule } from '@outreach/http-api/upload';
import { FAIR_QUEUES } from '../../concurrency/index.js';
import type { ServiceRequest } from '../requests/index.js';

/**
 * Receives the file of a route with `@AcceptsUpload`, before the body is validated. The file is in a folder that only
 * this process can read, and is deleted before the response is written.
 */
@Injectable()
export class UploadInterceptor implements NestInterceptor {
  private readonly queue = new FairQueue(FAIR_QUEUES.uploads);

  constructor(private readonly reflector: Reflector) {}

  /** @throws Busy if the workspace has too many uploads */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const rule = this.reflector.get<UploadRule | undefined>(UPLOAD, context.getHandler());
    if (!rule) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const work = () => this.receive(request, http.getResponse<Response>(), rule, next);
    return this.queue.run(request.user?.workspace_id ?? 0, work);
  }

  /** @throws TemporaryFolderUnusable */
  private receive(
    request: ServiceRequest,
    response: Response,
    rule: UploadRule,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    return withTemporaryFolder('outreach-upload', async (folder) => {
      const file = await receiveForm(request, response, folder, rule);
      if (file) request.upload = file;
      return of(await lastValueFrom(next.handle()));
    });
  }
}
