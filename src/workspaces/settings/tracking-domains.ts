import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { CONFIG, type Config } from '../../platform/config/index.js';
import type { DnsQueries } from '@outreach/egress';
import { DnsClient } from '../../platform/dns/index.js';

/** What the records of a tracking domain say. `unavailable`: its name servers, or those of the service, did not respond. */
export type TrackingDomainStatus = 'verified' | 'unverified' | 'unavailable';

/** Where a tracking domain leads. */
type Target = 'service' | 'another host' | 'unavailable';

/** A domain and the token of the workspace that wants it. */
export interface WantedDomain {
  readonly domain: string;
  readonly token: string;
}

/** How many aliases are followed to the host of the service. */
const MAX_ALIASES = 8;

/** Returns the name of the TXT record that gives a domain to a workspace (draft-ietf-dnsop-domain-verification-techniques). */
export const verificationName = (domain: string): string => `_outreach-challenge.${domain}`;

/** Returns the value of that record, from the token of the workspace. */
export const verificationValue = (token: string): string => `outreach-verification=${token}`;

/** Looks up whether workspaces may use the domains with which they want the links of their messages to begin. */
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
   * Returns whether a domain leads to the host of `PUBLIC_URL`, as its alias or with no other addresses than that has, and
   * has the TXT record of the workspace: under {@link verificationName}, or under its own name, where an alias cannot have
   * one. Do not call it in a transaction.
   * @throws Busy if too many lookups of the workspace wait
   */
  lookUp(workspaceId: number, { domain, token }: WantedDomain): Promise<TrackingDomainStatus> {
    return this.dns.run(workspaceId, async (dns) => {
      const target = await this.target(dns, domain);
      if (target !== 'service') return target === 'unavailable' ? target : 'unverified';
      return ownership(dns, domain, verificationValue(token));
    });
  }

  private async target(dns: DnsQueries, domain: string): Promise<Target> {
    if (domain === this.host) return 'service';
    const alias = await this.aliasTarget(dns, domain);
    return alias === 'service' ? alias : this.addressTarget(dns, domain, alias);
  }

  private async aliasTarget(dns: DnsQueries, domain: string): Promise<Target> {
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
  private async addressTarget(dns: DnsQueries, domain: string, otherwise: Target): Promise<Target> {
    const found = await dns.addresses(domain);
    if (found.kind === 'unavailable') return 'unavailable';
    if (found.kind === 'none') return otherwise;
    const own = isIP(this.host) ? [this.host] : await this.dns.hostAddresses(this.host);
    if (own.length === 0) return 'unavailable';
    const known = new Set(own.map(canonical));
    return found.records.every((address) => known.has(canonical(address))) ? 'service' : otherwise;
  }
}

async function ownership(dns: DnsQueries, domain: string, value: string): Promise<TrackingDomainStatus> {
  const results = await Promise.all([dns.txt(verificationName(domain)), dns.txt(domain)]);
  const texts = results.flatMap((result) => (result.kind === 'found' ? result.records : []));
  if (texts.some((text) => text.trim() === value)) return 'verified';
  return results.some(({ kind }) => kind === 'unavailable') ? 'unavailable' : 'unverified';
}

const canonical = (address: string): string => ipaddr.process(address).toNormalizedString();
