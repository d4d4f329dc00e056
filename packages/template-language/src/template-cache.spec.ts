import { TemplateCache, TemplateSyntaxError, valuesOf } from './index.js';

const MEGABYTE = 1024 * 1024;

describe('TemplateCache', () => {
  it('parses a source once', () => {
    const cache = new TemplateCache();
    const first = cache.parse('Hi {{ first_name }}');
    expect(cache.parse('Hi {{ first_name }}')).toBe(first);
    expect(first.renderHtml(valuesOf({ first_name: 'Ada' }))).toBe('Hi Ada');
    expect(cache.parse('Hello {{ first_name }}')).not.toBe(first);
    expect(cache.size.entries).toBe(2);
  });

  it('limits the memory of the parsed templates', () => {
    const cache = new TemplateCache({ entries: 1_000, bytes: MEGABYTE });
    const first = cache.parse('first');
    const { bytes } = cache.size;
    cache.parse('{{ a }}');
    expect(cache.size.bytes).toBeGreaterThan(2 * bytes);
    for (let size = 1; size <= 200; size += 1) cache.parse('{{ a }}'.repeat(size + 200));
    expect(cache.size.bytes).toBeLessThanOrEqual(MEGABYTE);
    expect(cache.size.entries).toBeGreaterThan(1);
    expect(cache.parse('first')).not.toBe(first);
  });

  it('stores nothing for a source that does not parse', () => {
    const cache = new TemplateCache();
    for (let attempt = 0; attempt < 2; attempt += 1) expect(() => cache.parse('{{')).toThrow(TemplateSyntaxError);
    expect(cache.size).toEqual({ entries: 0, bytes: 0 });
  });
});
