import { Controller, Get, Query } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { PublicRoute } from '@outreach/http-api/routes';
import { LinkHosts } from './link-hosts.cross-tenant.js';
import { TrackingDomainQuery } from './tracking-domain.query.js';
import { trackingDomainView } from './tracking-domain.view.js';

/** Tells a proxy for which tracking domains it gets a certificate, outside of `/v1`. */
@Controller('tracking-domains')
@PublicRoute()
export class TrackingDomainsController {
  constructor(private readonly hosts: LinkHosts) {}

  /**
   * Responds with 200 if a workspace has verified the domain, also if it has another one now: links in earlier messages begin
   * with it. Otherwise 404. Caddy asks this before it gets a certificate (`on_demand_tls`).
   */
  @Get('allowed')
  @Summary('Check whether a host name is a tracking domain', 'checkTrackingDomain')
  @Responds(trackingDomainView, { errors: [404] })
  allowed(@Query() { domain }: TrackingDomainQuery) {
    return this.hosts.trackingDomain(domain);
  }
}
