import { normalizeHost } from '@outreach/egress';

/** Whether a text is the name of a domain: at least two labels, and no address. */
export function isDomainName(text: string): boolean {
  const name = normalizeHost(text);
  return name !== undefined && /\.(?!\d+$)[^.]+$/.test(name);
}
