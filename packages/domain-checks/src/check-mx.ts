import type { DnsQueries } from '@outreach/egress';
import { check, type DomainCheck, unanswered } from './domain-check.js';

/** Checks that replies and bounces reach the domain (RFC 5321, 5.1). */
export async function checkMx(dns: DnsQueries, domain: string): Promise<DomainCheck> {
  const found = await dns.mx(domain);
  if (found.kind === 'unavailable') return unanswered(domain);
  if (found.kind === 'none') return checkAddresses(dns, domain);
  const hosts = found.records.filter(({ exchange }) => exchange !== '' && exchange !== '.');
  const records = found.records.map(({ priority, exchange }) => `${priority} ${exchange || '.'}`);
  // RFC 7505: one record with the name of the root.
  if (hosts.length === 0) return check('fail', records, `${domain} says that it receives no mail (null MX).`);
  return check('pass', records, `${domain} receives mail at ${hosts.map(({ exchange }) => exchange).join(', ')}.`);
}

/** A domain without MX receives mail at its own address, which some receivers take for a sign of spam. */
async function checkAddresses(dns: DnsQueries, domain: string): Promise<DomainCheck> {
  const found = await dns.addresses(domain);
  if (found.kind === 'unavailable') return unanswered(domain);
  if (found.kind === 'none')
    return check('fail', [], `${domain} has neither an MX record nor an address: it receives no mail.`);
  return check('warn', found.records, `${domain} has no MX record, but an address. Publish an MX record.`);
}
