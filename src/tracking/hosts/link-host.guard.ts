import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { normalizeHost } from '../../platform/egress/index.js';
import { NotFound } from '../../platform/errors/index.js';
import { MessageLinks } from '../../sending/index.js';
import { LinkHosts } from './link-hosts.cross-tenant.js';

/**
 * Lets a tracking domain serve only the links of the workspace that owns it: with the links of another, that workspace could
 * lead people from a domain that they trust to any page.
 */
@Injectable()
export class LinkHostGuard implements CanActivate {
  constructor(
    private readonly hosts: LinkHosts,
    private readonly links: MessageLinks,
  ) {}

  /** @throws NotFound if the link of the request does not work at its host */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { hostname, params } = context.switchToHttp().getRequest<Request<{ token: string }>>();
    const host = normalizeHost(hostname);
    if (host === undefined) throw new NotFound();
    if (this.hosts.isOfTheService(host)) return true;
    const workspaceId = this.links.workspaceOf(params.token);
    if (workspaceId === undefined || workspaceId !== (await this.hosts.findOwner(host))) throw new NotFound();
    return true;
  }
}
