import { BodyCache, TemplateSyntaxError, TemplateTooLarge, valuesOf } from './index.js';

describe('BodyCache', () => {
  const footer = { lines: [{ html: '<p>{{ unsubscribe_url }}</p>' }], unlessVariable: 'unsubscribe_url' };
  const long = `<p>${'x'.repeat(100_000)}</p>`;

  it('completes and parses a source once', () => {
    const cache = new BodyCache(footer);
    const body = cache.parse('<p>Hi</p>');
    expect(cache.parse(['<p>', 'Hi</p>'].join(''))).toBe(body);
    expect(body.renderHtml(valuesOf({ unsubscribe_url: 'u' }))).toBe('<p>Hi</p>\n<p>u</p>');
    expect(body.renderText(valuesOf({ unsubscribe_url: 'u' }))).toBe('Hi\n\nu');
  });

  it('converts a long source once for all that wait for it, and stores it', async () => {
    const cache = new BodyCache(footer);
    const [first, second] = await Promise.all([cache.load(long), cache.load(['<p>', long.slice(3)].join(''))]);
    expect(second).toBe(first);
    expect(await cache.load(long)).toBe(first);
    expect(cache.parse(long)).toBe(first);
    expect(first?.renderText(valuesOf({ unsubscribe_url: 'u' }))).toMatch(/^x{100000}\n\nu$/);
    expect(cache.size.entries).toBe(1);
  });

  it('throws the errors of a long source', async () => {
    const cache = new BodyCache();
    await expect(cache.load(`${long}{{`)).rejects.toThrow(TemplateSyntaxError);
    await expect(cache.load(long.repeat(3))).rejects.toThrow(TemplateTooLarge);
  });

  it('stays within its capacity', () => {
    const cache = new BodyCache(undefined, { entries: 2, bytes: 10_000 });
    const first = cache.parse('<p>1</p>');
    for (const source of ['<p>2</p>', '<p>3</p>']) cache.parse(source);
    expect(cache.size.entries).toBe(2);
    expect(cache.parse('<p>1</p>')).not.toBe(first);
    cache.parse(`<p>${'x'.repeat(10_000)}</p>`);
    expect(cache.size.bytes).toBeLessThan(10_000);
  });

  it('stores nothing for a source that does not parse', () => {
    const cache = new BodyCache();
    for (let attempt = 0; attempt < 2; attempt += 1) expect(() => cache.parse('{{')).toThrow(TemplateSyntaxError);
    expect(cache.size).toEqual({ entries: 0, bytes: 0 });
  });
});
