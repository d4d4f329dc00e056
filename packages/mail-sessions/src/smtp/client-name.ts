import { isIP } from 'node:net';
import { isDomainName, normalizeHost } from '@outreach/egress';

/** For a server on the same machine: it accepts no other name, and needs none. */
const LOCAL_NAME = 'localhost.localdomain';

/**
 * Returns the name with which the service introduces itself to a mail server (RFC 5321, 4.1.1.1): the domain name in
 * its URL. Without one it is an address in brackets (4.1.3): that in its URL, else that of the connection; a loopback
 * address, which receivers take for a sign of spam, is never sent.
 * @param localAddress of this end of the connection, if it is known
 */
export function clientName(publicUrl: string | undefined, localAddress: string | undefined): string {
  const host = publicUrl === undefined ? undefined : normalizeHost(new URL(publicUrl).hostname);
  if (host !== undefined && isDomainName(host) && !host.endsWith('.localhost')) return host;
  const address = [host, localAddress?.replace(/^::ffff:(?=\d+\.)/i, '')].find(isRemote);
  if (address === undefined) return LOCAL_NAME;
  return isIP(address) === 4 ? `[${address}]` : `[IPv6:${address}]`;
}

/** Whether it is an address by which another machine can know this one. */
const isRemote = (address: string | undefined): address is string =>
  address !== undefined && isIP(address) > 0 && !/^(127\.|0\.|::1?$|::ffff:|fe80:)/i.test(address);
