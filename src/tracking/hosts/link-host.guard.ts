import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '@outreach/http-errors';
import { LinkHosts } from './link-hosts.cross-tenant.js';

/** Refuses links at hosts at which they do not work. */
@Injectable()
export class LinkHostGuard implements CanActivate {
  constructor(private readonly hosts: LinkHosts) {}

  /** @throws NotFound */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { hostname, params } = context.switchToHttp().getRequest<Request<{ token: string }>>();
    if (await this.hosts.canServe(hostname, params.token)) return true;
    throw new NotFound();
  }
}
