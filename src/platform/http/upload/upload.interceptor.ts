import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import type { ServiceRequest } from '../request.js';
import { receiveForm } from './receive-form.js';
import { UPLOAD, type UploadRule } from './uploads.js';

/**
 * Receives the file of a route with `@AcceptsUpload`, before the body is validated. The file is in a folder that only
 * this process can read, and is deleted before the response is written.
 */
@Injectable()
export class UploadInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const rule = this.reflector.get<UploadRule | undefined>(UPLOAD, context.getHandler());
    if (!rule) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const folder = await mkdtemp(join(tmpdir(), `outreach-upload-${process.pid}-`));
    try {
      request.upload = await receiveForm(request, http.getResponse<Response>(), folder, rule);
      return of(await lastValueFrom(next.handle()));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
