/** Top-level domains that operators use for their own networks. Public DNS never resolves them. */
const ownNetworks = [
  'localhost', // RFC 6761
  'local', // RFC 6762
  ...['intranet', 'internal', 'private', 'corp', 'home', 'lan', 'localdomain'], // RFC 6762, appendix G, and ICANN
];

const localDomains = new Set(ownNetworks);

/** Those for documentation and tests are not included: they are harmless. */
const privateDomains = new Set([
  ...ownNetworks,
  'invalid', // RFC 6761
  'onion', // RFC 7686
  'alt', // RFC 9476
  'arpa', // Infrastructure (RFC 3172), and home.arpa (RFC 8375)
]);

/** Returns whether a normalised name can never be that of a public host. */
export const isPrivateName = (name: string): boolean => isIn(privateDomains, name);

/**
 * Returns whether only the operating system can resolve a normalised name: in its hosts file, its search domains or the
 * DNS of its own network. No user has a name server for these names.
 */
export const isLocalName = (name: string): boolean => isIn(localDomains, name) || name.endsWith('.home.arpa');

function isIn(domains: ReadonlySet<string>, name: string): boolean {
  const labels = name.split('.');
  return labels.length === 1 || domains.has(labels.at(-1) ?? '');
}
