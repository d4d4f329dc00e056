import { Injectable } from '@nestjs/common';
import { normalizeHost } from '@outreach/egress';
import { NotFound } from '../../platform/errors/index.js';
import { LinkHosts } from './link-hosts.cross-tenant.js';
import type { VerifiedDomain } from './tracking-domain.view.js';

/** The tracking domains of all workspaces, for proxies. */
@Injectable()
export class TrackingDomainsService {
  constructor(private readonly hosts: LinkHosts) {}

  /** @throws NotFound if no workspace has verified the domain */
  async get(text: string): Promise<VerifiedDomain> {
    const domain = normalizeHost(text);
    const owner = domain === undefined ? undefined : await this.hosts.findOwner(domain);
    if (domain === undefined || owner === undefined) throw new NotFound('Tracking domain');
    return { domain };
  }
}
