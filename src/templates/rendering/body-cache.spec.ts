import { BodyCache, TemplateSyntaxError } from './index.js';

describe('BodyCache', () => {
  it('completes and parses a source once', () => {
    let completed = 0;
    const cache = new BodyCache((source) => {
      completed += 1;
      return `${source}<p>{{ unsubscribe_url }}</p>`;
    });
    const body = cache.parse('<p>Hi</p>');
    expect(cache.parse(['<p>', 'Hi</p>'].join(''))).toBe(body);
    expect(completed).toBe(1);
    expect(body.renderHtml({ unsubscribe_url: 'u' })).toBe('<p>Hi</p><p>u</p>');
    expect(body.renderText({ unsubscribe_url: 'u' })).toBe('Hi\n\nu');
  });

  it('stays within its capacity', () => {
    const cache = new BodyCache((source) => source, { entries: 2, bytes: 10_000 });
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
