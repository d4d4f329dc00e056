import { type Sighting, scannerSign, scansOf } from './scanners.js';

/** `12.5` is the picture 12.5 seconds after the start; `[12.5, 3]` the third link. */
type Seen = number | readonly [seconds: number, link: number];

const sighting = (seen: Seen): Sighting => {
  const [seconds, link] = typeof seen === 'number' ? [seen, null] : seen;
  return { link, created_at: new Date(1_700_000_000_000 + seconds * 1000) };
};

/** What each hit is taken for, in order. */
const signs = (...seen: Seen[]) => {
  const hits = seen.map(sighting);
  const scans = scansOf(hits);
  return hits.map((hit) => scannerSign(hit, scans) ?? '-');
};

describe('the signs of a scanner', () => {
  it('are none in reading, however fast', () => {
    expect(signs(0)).toEqual(['-']);
    expect(signs(0, [0, 1], [0, 1], [0, 1], [0, 1])).toEqual(['-', '-', '-', '-', '-']);
    expect(signs(0, [0.1, 1], [0.2, 2])).toEqual(['-', '-', '-']);
    expect(signs([0, 1], [2, 2], [4, 3], [6, 4], [8, 5])).toEqual(['-', '-', '-', '-', '-']);
  });

  it('are many different links at once', () => {
    expect(signs([0, 1], [0, 2], [0, 3])).toEqual(['many_links', 'many_links', 'many_links']);
    expect(signs([0, 1], [1.5, 2], [3, 3])).toEqual(['many_links', 'many_links', 'many_links']);
    expect(signs([0, 1], [1.5, 2], [3.1, 3])).toEqual(['-', '-', '-']);
  });

  it('are a hidden link, followed', () => {
    expect(signs([0, 0])).toEqual(['hidden_link']);
    expect(signs([0, 1], [0.5, 0])).toEqual(['hidden_link', 'hidden_link']);
  });

  it('tell of everything around their time, of the picture too, and of nothing else', () => {
    expect(signs(0, 7, [10, 0], 40, 40.1, [50, 1])).toEqual([
      '-',
      'hidden_link',
      'hidden_link',
      'hidden_link',
      '-',
      '-',
    ]);
    expect(signs(0, [9, 1], [9, 2], [10, 3], [39, 1], [41, 1])).toEqual([
      '-',
      'many_links',
      'many_links',
      'many_links',
      'many_links',
      '-',
    ]);
  });

  it('are found among thousands of hits', () => {
    const many = Array.from({ length: 2000 }, (_, index): Seen => [index / 1000, 1 + (index % 2)]);
    expect(signs(...many).every((sign) => sign === '-')).toBe(true);
    expect(signs(...many, [2, 3]).every((sign) => sign === 'many_links')).toBe(true);
  });
});
