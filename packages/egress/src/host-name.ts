import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

const MAX_NAME_LENGTH = 253; // RFC 1035
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * Returns the canonical form of a host: an IP address without brackets, or a lower-case ASCII name without trailing dot
 * (as TLS needs it). Decimal, octal, hexadecimal and short IPv4 notations become the address that they mean; names in
 * other scripts become Punycode. Undefined if the text is not a host, e.g. if it is too long or has a port or a zone.
 */
export function normalizeHost(text: string): string | undefined {
  if (text.includes(':')) return ipv6(text);
  if (!mayBeName(text)) return undefined;
  const name = domainToASCII(text).replace(/\.$/, '');
  return isIP(name) === 4 || isName(name) ? name : undefined;
}

/** Whether a text is the name of a domain: at least two labels, and no address. */
export function isDomainName(text: string): boolean {
  const name = normalizeHost(text);
  return name !== undefined && /\.(?!\d+$)[^.]+$/.test(name);
}

function ipv6(text: string): string | undefined {
  const address = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  return isIP(address) === 6 && !address.includes('%') ? address.toLowerCase() : undefined;
}

/** domainToASCII parses its argument as the host of a URL: it stops at a slash, drops tabs and decodes percent signs. */
function mayBeName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH + 1 && /^[\w.\-\u{80}-\u{10ffff}]+$/u.test(text);
}

function isName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && name.split('.').every((part) => label.test(part));
}
