import { GivenMarketplace } from '../support/given-marketplace.js';
import { useService } from '../support/service.js';

describe('the gallery', () => {
  const service = useService({ PUBLIC_URL: 'https://outreach.test/mail' });
  let given: GivenMarketplace;

  beforeEach(async () => {
    given = await GivenMarketplace.empty(service.database);
  });

  const open = async (path = '', headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(`${service.url}/marketplace${path}`, { headers, method });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  /** The texts of the headings of a level. */
  const headings = (text: string, level: number): string[] =>
    [...text.matchAll(new RegExp(`<h${level}[^>]*>(.*?)</h${level}>`, 'gs'))].map(([, inner]) =>
      (inner ?? '')
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );

  it('requires no token, and its headers forbid scripts, forms and foreign resources', async () => {
    await given.pack([await given.template({ slug: 'one' })], { slug: 'pack' });
    for (const path of ['', '/packs/pack', '/templates/one']) {
      const { status, headers, text } = await open(path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      expect(headers.get('vary')).toBe('Accept-Language');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(text).not.toMatch(/<script|<form|<link|<img|\sstyle=|\son\w+=/);
      expect(await open(path, {}, 'HEAD')).toMatchObject({ status: 200, text: '' });
      expect((await open(path, {}, 'POST')).status).toBe(405);
    }
  });

  it('serves a preview with headers that allow inline styles only and no scripts', async () => {
    await given.template({ slug: 'one' });
    const { status, headers, text } = await open('/templates/one/preview');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).toContain('<p>Hello Camille</p>');
    expect((await open('/templates/one')).text).toMatch(
      /<iframe\s+src="\/mail\/marketplace\/templates\/one\/preview"\s+title="Preview of “Record \d+”"\s+sandbox=""/,
    );
  });

  it('serves a complete document unchanged, and wraps a fragment in a document', async () => {
    const body = '<!DOCTYPE html>\n<html><head><title>x</title></head><body>Hello {{ first_name }}</body></html>';
    await given.template({ slug: 'whole', body });
    await given.template({ slug: 'letter', body: 'Hello {{ first_name }}', locale: 'fr', subject: 'A & B' });
    expect((await open('/templates/whole/preview')).text).toBe(
      '<!DOCTYPE html><base target="_blank" />\n<html><head><title>x</title></head><body>Hello Camille</body></html>',
    );
    const letter = (await open('/templates/letter/preview')).text;
    expect(letter).toMatch(/^<!doctype html><base target="_blank" \/>\s*<html lang="fr">[^]*<title>A &amp; B<\/title>/);
    expect(letter).toMatch(/<body>\s*Hello Camille\s*<\/body>/);
  });

  it('uses the language in the URL, or else the one of Accept-Language', async () => {
    const french = { 'accept-language': 'fr-CA, en;q=0.5' };
    const languageOf = async (path: string, headers = {}) =>
      /<html lang="(..)">/.exec((await open(path, headers)).text)?.[1];
    expect(await languageOf('')).toBe('en');
    expect(await languageOf('', french)).toBe('fr');
    expect(await languageOf('?lang=en', french)).toBe('en');
    expect(await languageOf('?lang=fr')).toBe('fr');
    expect(await languageOf('/packs/none?lang=fr')).toBe('fr');
    for (const invalid of ['?lang=de', '?lang=', '?lang=en&lang=en', '?lang=%00', '?lang[]=en']) {
      expect(await languageOf(invalid, french)).toBe('fr');
    }
  });

  it('repeats a language in the URL in its links, but not one of Accept-Language', async () => {
    await given.template({ slug: 'one' });
    expect((await open('?lang=fr')).text).toContain('href="/mail/marketplace/templates/one?lang=fr"');
    expect((await open('', { 'accept-language': 'fr' })).text).toContain('href="/mail/marketplace/templates/one"');
    expect((await open('?category=other&locale=en')).text).toContain(
      'href="?lang=fr&amp;category=other&amp;locale=en"',
    );
  });

  it('shows published packs, then published templates by category, in the default order of the marketplace', async () => {
    const welcome = await given.template({ name: 'Welcome', category: 'welcome', subject: 'Hi {{ first_name }}' });
    await given.template({ name: 'Little used', category: 'prospection', downloads_count: 1 });
    const used = await given.template({ name: 'Much used', category: 'prospection', downloads_count: 1234 });
    await given.template({ name: 'Featured', category: 'prospection', is_featured: true });
    const hidden = await given.template({ name: 'Hidden', slug: 'hidden', is_published: false });
    await given.pack([welcome, hidden, used], { name: 'Plain pack', downloads_count: 9 });
    await given.pack([used], { name: 'Featured pack', is_featured: true });
    await given.pack([used], { name: 'Hidden pack', slug: 'hidden', is_published: false });
    const { text } = await open();
    expect(headings(text, 2)).toEqual(['Category', 'Language', 'Packs 2', 'Templates 4']);
    expect(headings(text, 3)).toEqual(['Featured pack', 'Plain pack', 'Prospecting 3', 'Welcome 1']);
    expect(headings(text, 4)).toEqual(['Featured', 'Much used', 'Little used', 'Welcome']);
    expect(text).toMatch(/Plain pack[^]*<ol[^]*>Welcome<[^]*>Much used<[^]*<\/ol>/);
    expect(text).toContain('1,234 downloads');
    expect(text).toMatch(/<dd[^>]*>Hi Camille<\/dd>/);
    expect(text).not.toContain('Hidden');
    for (const path of ['/packs/hidden', '/templates/hidden', '/templates/hidden/preview']) {
      expect((await open(path)).status).toBe(404);
    }
  });

  it('filters by category and language, and ignores invalid filters', async () => {
    await given.template({ name: 'English newsletter', category: 'newsletter' });
    await given.template({ name: 'Lettre', category: 'newsletter', locale: 'fr' });
    await given.pack([await given.template({ name: 'Autre', locale: 'fr' })], { name: 'Séquence', locale: 'fr' });
    const shown = async (query: string) => {
      const { text } = await open(query);
      return [...headings(text, 3).filter((heading) => heading === 'Séquence'), ...headings(text, 4)];
    };
    expect(await shown('?category=newsletter')).toEqual(['English newsletter', 'Lettre']);
    expect(await shown('?locale=fr')).toEqual(['Séquence', 'Lettre', 'Autre']);
    expect(await shown('?locale=en')).toEqual(['English newsletter']);
    expect(await shown('?category=newsletter&locale=fr')).toEqual(['Lettre']);
    expect(await shown('?category=welcome')).toEqual([]);
    for (const invalid of [
      '?category=x',
      '?locale=de',
      '?category=welcome&category=x',
      '?category=%00',
      '?locale[a]=en',
    ]) {
      expect(await shown(invalid)).toHaveLength(4);
    }
  });

  it('shows the API call that copies a record', async () => {
    const id = await given.template({ slug: 'one', variables: ['first_name', 'plan'] });
    const pack = await given.pack([id], { slug: 'pack' });
    const template = (await open('/templates/one')).text;
    expect(template).toContain(`curl -X POST https://outreach.test/mail/v1/marketplace/templates/${id}/copy \\\n`);
    expect(template).toMatch(/<code>first_name<\/code>\s*<code>plan<\/code>/);
    expect(template).toContain('<code>one</code>');
    expect((await open('/packs/pack')).text).toContain(`/v1/marketplace/packs/${pack}/copy`);
  });

  it('escapes the texts of records', async () => {
    const text = `<script>alert("1")</script>'&{{ x | default: "<b>" }}`;
    const id = await given.template({ slug: 'bad', name: text, description: text, subject: text, variables: [text] });
    await given.pack([id], { slug: 'bad', name: text, description: text, is_featured: true });
    for (const path of ['', '/packs/bad', '/templates/bad']) {
      const page = (await open(path)).text;
      expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
      expect(page).not.toContain('<script');
      expect(page).not.toContain('<b>');
    }
  });

  it('responds to unknown records with 404 and a page, in both languages', async () => {
    for (const slug of ['none', 'None', '%00', '..%2f', '%F0%9F%99%82', "'", '1', 'x'.repeat(5000)]) {
      for (const path of [`/packs/${slug}`, `/templates/${slug}`, `/templates/${slug}/preview`]) {
        const { status, headers, text } = await open(path);
        expect([path, status]).toEqual([path, 404]);
        expect(headings(text, 1)).toEqual(['This is not in the marketplace']);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`);
      }
    }
    expect((await open('/packs/none?lang=fr')).text).toContain('Absent du catalogue');
  });
});
