import { linkAddresses } from '@outreach/template-language';

/** Returns the headers of a message by their names, unfolded. Of several with one name, the values are joined by lines. */
export function headersOf(raw: string): Record<string, string> {
  const headers = new Map<string, string>();
  const lines = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  for (const line of lines.split('\r\n')) {
    const [, name, value = ''] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return Object.fromEntries(headers);
}

/** Returns the addresses of the links in HTML, in their order and each once. */
export const linksOf = (html: string): string[] => [...new Set(linkAddresses(html).filter((link) => link !== ''))];
