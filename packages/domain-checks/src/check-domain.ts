import type { DnsQueries } from '@outreach/egress';
import { checkDkim, type DkimNames } from './check-dkim.js';
import { checkDmarc } from './check-dmarc.js';
import { checkMx } from './check-mx.js';
import { checkSpf } from './check-spf.js';
import type { DomainChecks } from './domain-check.js';

/** What is checked. */
export interface SenderDomain {
  /** In lower case. */
  readonly domain: string;
  /** The domains of the provider's SPF records, of which one should be included; none if it is not known. */
  readonly includes: readonly string[];
  readonly dkim: DkimNames;
}

/** Checks whether mail of a domain is authenticated, and whether replies reach it. It does not throw, as queries do not. */
export async function checkDomain(
  dns: DnsQueries,
  { domain, includes, dkim: keys }: SenderDomain,
): Promise<DomainChecks> {
  const [mx, spf, dkim, dmarc] = await Promise.all([
    checkMx(dns, domain),
    checkSpf(dns, domain, includes),
    checkDkim(dns, keys),
    checkDmarc(dns, domain),
  ]);
  return { mx, spf, dkim, dmarc };
}
