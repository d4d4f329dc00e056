import { normalizeHost } from './host-name.js';

/** Ports of other protocols, to which browsers do not send HTTP ("bad ports", WHATWG Fetch 2.9, and 0). */
const badPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** The parsed URL, or a sentence for the user that says what is wrong with it. */
export type UrlCheck = { readonly url: URL } | { readonly error: string };

/**
 * Checks the syntax of a URL for outbound requests: https or http, a host, no credentials, no fragment, not a port of another
 * protocol. {@link urlHostError} resolves the host, and decides whether http is allowed. The
 * URL parser normalises the host: numbers become addresses, names lower case and Punycode.
 */
export function publicHttpsUrl(text: string): UrlCheck {
  const error = urlSyntaxError(text);
  if (error !== undefined) return { error };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || normalizeHost(url.hostname) === undefined)
    return { error: 'The URL has no valid host, or no valid port.' };
  if (badPorts.has(Number(url.port || 443))) return { error: `The port ${url.port} is not allowed.` };
  return { url };
}

/** Checks what a parsed URL no longer shows, because the parser drops, replaces and adds characters. */
function urlSyntaxError(text: string): string | undefined {
  if (/[\s\p{Cc}\\]/u.test(text) || !text.isWellFormed()) {
    return 'The URL must not contain white space, control characters or backslashes.';
  }
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority === undefined) return 'The URL must start with https:// and name a host.';
  if (authority.includes('@')) return 'The URL must not contain a user name or a password.';
  if (text.includes('#')) return 'The URL must not contain a fragment (#).';
  return undefined;
}
