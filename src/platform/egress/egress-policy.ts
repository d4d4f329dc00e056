import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Address, type Cidr, covers, parseCidr } from './cidr.js';
import { isatapIpv4, translatedIpv4 } from './embedded-ipv4.js';

/** ipaddr.js calls whatever it does not know unicast; only this part of IPv6 is given out for public use (RFC 4291). */
const globalUnicast = parseCidr('2000::/3');

/** Looks public, but answers only inside a cloud: the platform address of Azure's virtual machines. */
const cloudInternal = [parseCidr('168.63.129.16/32')];

/**
 * Which addresses outbound traffic may reach (API v1): public unicast ones, and the configured ranges.
 * An IPv6 address that stands for an IPv4 one (mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP) is as
 * allowed as that one. The constructor throws a RangeError on what is not a range (`isCidr`).
 */
export class EgressPolicy {
  readonly #allowed: readonly Cidr[];

  constructor(allowedCidrs: readonly string[]) {
    this.#allowed = allowedCidrs.map(parseCidr);
  }

  /** False as well for what is no address in its usual spelling, and for one with a zone (`fe80::1%eth0`). */
  allows(address: string): boolean {
    return isIP(address) !== 0 && !address.includes('%') && this.#isAllowed(ipaddr.process(address));
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
