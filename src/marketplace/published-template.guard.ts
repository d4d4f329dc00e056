import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { pathId } from '../platform/http/index.js';
import { Published } from './published.crossing.js';

/** Says that there is no such template before anybody looks at the body. */
@Injectable()
export class PublishedTemplateGuard implements CanActivate {
  constructor(private readonly published: Published) {}

  /** @throws NotFound */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { params } = context.switchToHttp().getRequest<Request>();
    await this.published.template({ id: pathId(params.id) });
    return true;
  }
}
