import { TemplateCache, TemplateSyntaxError } from './index.js';

const MEGABYTE = 1024 * 1024;

describe('the template cache', () => {
  it('parses a source once', () => {
    const cache = new TemplateCache();
    const first = cache.parse('Hi {{ first_name }}');
    expect(cache.parse('Hi {{ first_name }}')).toBe(first);
    expect(first.renderHtml({ first_name: 'Ada' })).toBe('Hi Ada');
    expect(cache.parse('Hello {{ first_name }}')).not.toBe(first);
    expect(cache.held.templates).toBe(2);
  });

  it('lets the least recently used go when there are too many', () => {
    const cache = new TemplateCache({ templates: 2, bytes: MEGABYTE });
    const [a, b] = [cache.parse('a'), cache.parse('b')];
    cache.parse('a');
    cache.parse('c');
    expect(cache.parse('a')).toBe(a);
    expect(cache.parse('b')).not.toBe(b);
    expect(cache.held.templates).toBe(2);
  });

  it('stays within its bytes', () => {
    const cache = new TemplateCache({ templates: 1_000, bytes: MEGABYTE });
    const last = cache.parse('first');
    for (let size = 1; size <= 200; size += 1) {
      cache.parse('{{ a }}'.repeat(size));
      expect(cache.held.bytes).toBeLessThanOrEqual(MEGABYTE);
    }
    expect(cache.held.templates).toBeGreaterThan(1);
    expect(cache.parse('first')).not.toBe(last);
  });

  it('forgets what it let go', () => {
    const cache = new TemplateCache({ templates: 1, bytes: MEGABYTE });
    cache.parse('a');
    const { bytes } = cache.held;
    for (const source of ['b', 'c', 'd']) cache.parse(source);
    expect(cache.held).toEqual({ templates: 1, bytes });
  });

  it('does not hold, nor give way to, a template larger than itself', () => {
    const cache = new TemplateCache({ templates: 10, bytes: 10_000 });
    const small = cache.parse('small');
    expect(cache.parse('x'.repeat(20_000)).renderHtml({})).toHaveLength(20_000);
    expect(cache.parse('small')).toBe(small);
    expect(cache.held.templates).toBe(1);
  });

  it('holds no source that does not parse', () => {
    const cache = new TemplateCache();
    for (let attempt = 0; attempt < 2; attempt += 1) expect(() => cache.parse('{{')).toThrow(TemplateSyntaxError);
    expect(cache.held).toEqual({ templates: 0, bytes: 0 });
  });
});
