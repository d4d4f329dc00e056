import ipaddr from 'ipaddr.js';
import { covers, parseCidr } from './cidr.js';

type Octets = readonly number[];

const lastFour = (octets: Octets) => [octets.slice(12)];

/** IPv6 ranges whose traffic goes to an IPv4 address, and the position of that address in the 16 octets. */
const translations: readonly { range: string; embedded: (octets: Octets) => Octets[] }[] = [
  { range: '::/96', embedded: lastFour }, // IPv4-compatible, RFC 4291
  { range: '::ffff:0:0:0/96', embedded: lastFour }, // IPv4-translated, RFC 2765
  { range: '64:ff9b::/96', embedded: lastFour }, // NAT64, RFC 6052
  { range: '2002::/16', embedded: (octets) => [octets.slice(2, 6)] }, // 6to4, RFC 3056
  // Teredo: server and client, RFC 4380
  { range: '2001::/32', embedded: (octets) => [octets.slice(4, 8), octets.slice(12).map((octet) => octet ^ 0xff)] },
];
const parsed = translations.map(({ range, embedded }) => ({ range: parseCidr(range), embedded }));

/** Returns the IPv4 addresses that a translated IPv6 address embeds; none if its prefix is not one of a translation. */
export function translatedIpv4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const translation = parsed.find(({ range }) => covers(range, address));
  return translation?.embedded(address.toByteArray()).map((octets) => new ipaddr.IPv4([...octets])) ?? [];
}

/** Returns the IPv4 address in an ISATAP interface identifier (RFC 5214), which any prefix may have. */
export function isatapIpv4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const octets = address.toByteArray();
  const identifier = Buffer.from(octets.slice(8, 12)).toString('hex');
  return identifier === '00005efe' || identifier === '02005efe' ? [new ipaddr.IPv4(octets.slice(12))] : [];
}
