import { encodedParts } from './encoded-parts.js';

describe('encodedParts', () => {
  const contact = (id: number, length: number): object => ({ id, note: 'x'.repeat(length) });

  it('returns small events in one part, with their contacts', () => {
    const batch = Array.from({ length: 1_000 }, (_, id) => contact(id, 100));
    expect([...encodedParts('contact.updated', batch)]).toEqual([
      { event: 'contact.updated', data: batch.map((each) => JSON.stringify(each)), contacts: batch.map((_, id) => id) },
    ]);
  });

  it('returns large events in parts of at most a megabyte, in their order', () => {
    const batch = Array.from({ length: 100 }, (_, id) => contact(id, 60_000));
    const parts = [...encodedParts('contact.updated', batch)];
    expect(parts.length).toBeGreaterThanOrEqual(6);
    for (const { data } of parts) expect(data.join('').length).toBeLessThanOrEqual(1_048_576);
    expect(parts.flatMap(({ contacts }) => contacts)).toEqual(batch.map((_, id) => id));
  });

  it('returns an event that is larger than a part alone', () => {
    const parts = [...encodedParts('contact.updated', [contact(1, 10), contact(2, 2_000_000), contact(3, 10)])];
    expect(parts.map(({ contacts }) => contacts)).toEqual([[1], [2], [3]]);
  });

  it('returns nothing for no events', () => {
    expect([...encodedParts('contact.updated', [])]).toEqual([]);
  });
});
