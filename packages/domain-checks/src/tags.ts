/** Returns the tags of a DKIM or DMARC record, e.g. `v=DKIM1; p=…` (RFC 6376, 3.2), by name; of equal ones the first. */
export function tagsOf(record: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const part of record.split(';')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    if (name !== '' && !tags.has(name)) tags.set(name, part.slice(equals + 1).trim());
  }
  return tags;
}
