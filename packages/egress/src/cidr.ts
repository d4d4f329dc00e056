import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A parsed IP address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A parsed address range. */
export type Cidr = readonly [network: Address, prefixLength: number];

const MAPPED_PREFIX_LENGTH = 96;

/**
 * Whether a text is an address range such as `10.0.0.0/8` or `fd00::/8`: an address in standard notation, a slash and a
 * decimal prefix length. Bits after the prefix are ignored. Addresses with a zone are not accepted.
 */
export function isCidr(text: string): boolean {
  return readCidr(text) !== undefined;
}

/** Parses an address range. Throws a RangeError if {@link isCidr} returns false. */
export function parseCidr(text: string): Cidr {
  const cidr = readCidr(text);
  if (cidr === undefined) throw new RangeError(`${text} is not an address range like 10.0.0.0/8`);
  return cidr;
}

/** Whether an address is in a range; false for an address of the other family. */
export function covers(cidr: Cidr, address: Address): boolean {
  const [network, prefixLength] = cidr;
  return network.kind() === address.kind() && address.match(network, prefixLength);
}

function readCidr(text: string): Cidr | undefined {
  const [, base = '', prefix] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const family = isIP(base);
  if (family === 0 || Number(prefix) > (family === 4 ? 32 : 128)) return undefined;
  return unmapIpv4(ipaddr.parse(base), Number(prefix));
}

/** Turns ::ffff:10.0.0.0/104 into 10.0.0.0/8, because mapped addresses are compared in their IPv4 form. */
function unmapIpv4(network: Address, prefixLength: number): Cidr {
  const mapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress();
  if (!mapped || prefixLength < MAPPED_PREFIX_LENGTH) return [network, prefixLength];
  return [network.toIPv4Address(), prefixLength - MAPPED_PREFIX_LENGTH];
}
