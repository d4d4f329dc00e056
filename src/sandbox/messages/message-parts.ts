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

const HREF = /<a\s[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity);

/** Returns the addresses of the links in HTML, in their order and each once. */
export function linksOf(html: string): string[] {
  const links = [...html.matchAll(HREF)].map(([, double, single, bare]) => decoded(double ?? single ?? bare ?? ''));
  return [...new Set(links.filter((link) => link !== ''))];
}
