import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { pathId } from '../platform/http/index.js';
import { PublishedRecords } from './published-records.cross-tenant.js';

/** Responds with 404 if the template does not exist or is not published, before the body is validated. */
@Injectable()
export class PublishedTemplateGuard implements CanActivate {
  constructor(private readonly publishedRecords: PublishedRecords) {}

  /** @throws NotFound */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { params } = context.switchToHttp().getRequest<Request>();
    await this.publishedRecords.template({ id: pathId(params.id) });
    return true;
  }
}

/** Responds with 404 if the pack does not exist or is not published, before the body is validated. */
@Injectable()
export class PublishedPackGuard implements CanActivate {
  constructor(private readonly publishedRecords: PublishedRecords) {}

  /** @throws NotFound */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { params } = context.switchToHttp().getRequest<Request>();
    await this.publishedRecords.requirePack(pathId(params.id));
    return true;
  }
}
