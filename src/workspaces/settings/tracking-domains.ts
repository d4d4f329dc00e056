import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { DnsClient, type DnsQueries } from '../../platform/dns/index.js';

/** Where a tracking domain leads. `unavailable`: its name servers, or those of the service, have not said it. */
export type TrackingDomainTarget = 'service' | 'another host' | 'unavailable';

/** How many aliases are followed to the host of the service. */
const MAX_ALIASES = 8;

/** Looks up where the domains lead with which workspaces want the links of their messages to begin. */
@Injectable()
export class TrackingDomains {
  private readonly host: string;

  constructor(
    private readonly dns: DnsClient,
    @Inject(CONFIG) { public_url }: Pick<Config, 'public_url'>,
  ) {
    this.host = new URL(public_url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  }

  /**
   * Returns whether a domain leads to the host of `PUBLIC_URL`: as its alias, or with no other addresses than that has. Do
   * not call it in a transaction.
   * @throws Busy if too many lookups of the workspace wait
   */
  lookUp(workspaceId: number, domain: string): Promise<TrackingDomainTarget> {
    return this.dns.run(workspaceId, async (dns) => {
      if (domain === this.host) return 'service';
      const alias = await this.aliasTarget(dns, domain);
      return alias === 'service' ? alias : this.addressTarget(dns, domain, alias);
    });
  }

  private async aliasTarget(dns: DnsQueries, domain: string): Promise<TrackingDomainTarget> {
    let name = domain;
    for (let count = 0; count < MAX_ALIASES; count += 1) {
      const found = await dns.cname(name);
      if (found.kind === 'unavailable') return 'unavailable';
      if (found.kind === 'none') return 'another host';
      name = (found.records[0] ?? '').toLowerCase().replace(/\.$/, '');
      if (name === this.host) return 'service';
    }
    return 'another host';
  }

  /** @param otherwise what is returned if the addresses are others */
  private async addressTarget(
    dns: DnsQueries,
    domain: string,
    otherwise: TrackingDomainTarget,
  ): Promise<TrackingDomainTarget> {
    const found = await dns.addresses(domain);
    if (found.kind === 'unavailable') return 'unavailable';
    if (found.kind === 'none') return otherwise;
    const own = isIP(this.host) ? [this.host] : await this.dns.hostAddresses(this.host);
    if (own.length === 0) return 'unavailable';
    const known = new Set(own.map(canonical));
    return found.records.every((address) => known.has(canonical(address))) ? 'service' : otherwise;
  }
}

const canonical = (address: string): string => ipaddr.process(address).toNormalizedString();
