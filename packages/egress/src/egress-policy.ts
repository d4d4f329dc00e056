import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Address, type Cidr, covers, parseCidr } from './cidr.js';
import { isatapIpv4, translatedIpv4 } from './embedded-ipv4.js';

/** The part of IPv6 that is assigned for public use (RFC 4291). ipaddr.js calls every range that it does not know unicast. */
const globalUnicast = parseCidr('2000::/3');

/** In a public range, but reachable only inside a cloud: the platform address of Azure's virtual machines. */
const cloudInternal = [parseCidr('168.63.129.16/32')];

/** Decides which addresses a connection may reach. */
export interface AddressPolicy {
  allows(address: string): boolean;
}

/**
 * Decides which addresses outbound connections may reach: public unicast addresses, and the configured ranges.
 * An IPv6 address that embeds an IPv4 address (mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP) is allowed
 * if that IPv4 address is. The constructor throws a RangeError if a range is invalid ({@link isCidr}).
 */
export class EgressPolicy implements AddressPolicy {
  readonly #allowed: readonly Cidr[];

  /** @param wayOut says who can allow another range, and how: the end of messages about hosts that are not allowed */
  constructor(
    allowedCidrs: readonly string[],
    readonly wayOut = '',
  ) {
    this.#allowed = allowedCidrs.map(parseCidr);
  }

  /** False also for text that is not an address in standard notation, and for addresses with a zone (`fe80::1%eth0`). */
  allows(address: string): boolean {
    return isIP(address) !== 0 && !address.includes('%') && this.#isAllowed(ipaddr.process(address));
  }

  /** The same policy without the public addresses: for connections that are not encrypted. */
  configuredOnly(): AddressPolicy {
    return { allows: (address) => this.isInConfiguredRange(address) };
  }

  /** Returns whether the address is in one of the configured ranges. False also for text that is not an address. */
  isInConfiguredRange(address: string): boolean {
    if (isIP(address) === 0 || address.includes('%')) return false;
    const parsed = ipaddr.process(address);
    return this.#allowed.some((cidr) => covers(cidr, parsed));
  }

  #isAllowed(address: Address): boolean {
    if (this.#allowed.some((cidr) => covers(cidr, address))) return true;
    if (cloudInternal.some((cidr) => covers(cidr, address))) return false;
    return address instanceof ipaddr.IPv4 ? address.range() === 'unicast' : this.#isAllowedIpv6(address);
  }

  #isAllowedIpv6(address: ipaddr.IPv6): boolean {
    const translated = translatedIpv4(address);
    if (translated.length > 0) return translated.every((ipv4) => this.#isAllowed(ipv4));
    const isPublic = covers(globalUnicast, address) && address.range() === 'unicast';
    return isPublic && isatapIpv4(address).every((ipv4) => this.#isAllowed(ipv4));
  }
}
