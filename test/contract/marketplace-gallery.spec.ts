import { join } from 'node:path';
import { readCatalogue } from '../../src/marketplace/publishing/read-catalogue.js';
import { GivenMarketplace } from '../support/given-marketplace.js';
import { useService } from '../support/service.js';

const CATALOGUE = join(import.meta.dirname, '../../src/marketplace/catalogue');

const decoded = (html: string): string =>
  html.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity] ?? '&',
  );

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

  it('requires no token, and its headers allow nothing of other origins', async () => {
    await given.pack([await given.template({ slug: 'one' })], { slug: 'pack' });
    for (const path of ['', '/packs/pack', '/templates/one']) {
      const { status, headers, text } = await open(path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='; img-src 'self' data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      expect(headers.get('vary')).toBe('Accept-Language');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(text).not.toMatch(
        /<script\s|<script>(?!\n\(\(\) => \{\n)|\sstyle=|\son\w+=|https?:\/\/(?!outreach\.test)/,
      );
      expect(text.match(/<script>/g) ?? []).toHaveLength(path === '' ? 0 : 1);
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
    expect(text).toContain('<p>Hello Emma</p>');
    expect((await open('/templates/one')).text).toMatch(
      /<iframe\s+src="\/mail\/marketplace\/templates\/one\/preview"\s+title="Preview of “Record \d+”"\s+sandbox=""/,
    );
  });

  it('serves a complete document unchanged, and wraps a fragment in a document', async () => {
    const body = '<!DOCTYPE html>\n<html><head><title>x</title></head><body>Hello {{ first_name }}</body></html>';
    await given.template({ slug: 'whole', body });
    await given.template({ slug: 'letter', body: 'Hello {{ first_name }}', locale: 'fr', subject: 'A & B' });
    expect((await open('/templates/whole/preview')).text).toBe(
      '<!DOCTYPE html><base target="_blank" />\n<html><head><title>x</title></head><body>Hello Emma</body></html>',
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
    await given.template({ slug: 'one', locale: 'fr' });
    expect((await open('?lang=fr')).text).toContain('href="/mail/marketplace/templates/one?lang=fr"');
    expect((await open('', { 'accept-language': 'fr' })).text).toContain('href="/mail/marketplace/templates/one"');
    expect((await open('?category=other&kind=plain&search=x&page=2')).text).toContain(
      'href="?lang=fr&amp;kind=plain&amp;category=other"',
    );
  });

  it('shows the best designed templates, letters and packs of its language, in the order of the marketplace', async () => {
    const body = '<!doctype html><html><body>Hello</body></html>';
    const letter = await given.template({ name: 'Letter', subject: 'Hi {{ first_name }}' });
    await given.template({ name: 'Little used', body, downloads_count: 1 });
    const used = await given.template({ name: 'Much used', body, downloads_count: 1234 });
    await given.template({ name: 'Featured', body, is_featured: true });
    await given.template({ name: 'Lettre', locale: 'fr' });
    const hidden = await given.template({ name: 'Hidden', slug: 'hidden', is_published: false });
    await given.pack([letter, hidden, used], { name: 'Plain pack', downloads_count: 9 });
    await given.pack([used], { name: 'Featured pack', is_featured: true });
    await given.pack([used], { name: 'Hidden pack', slug: 'hidden', is_published: false });
    const { text } = await open();
    expect(headings(text, 2)).toEqual(['Designed emails 3', 'Plain letters 1', 'Packs 2']);
    const cards = ['Featured', 'Much used', 'Little used', 'Letter', 'Featured pack', 'Plain pack'];
    expect(headings(text, 3)).toEqual(cards);
    expect(text).toMatch(/Plain pack[^]*<ol[^]*>Letter<[^]*>Much used<[^]*<\/ol>/);
    expect(text).toContain('1,234 downloads');
    expect(text).toContain('Hi Emma');
    expect(text).toContain('Hello Emma');
    expect(text).not.toContain('Hidden');
    expect(headings((await open('?lang=fr')).text, 3)).toEqual(['Lettre']);
    for (const path of ['/packs/hidden', '/templates/hidden', '/templates/hidden/preview']) {
      expect((await open(path)).status).toBe(404);
    }
  });

  const shown = async (query: string) => headings((await open(query)).text, 3);

  it('filters by kind and category, and ignores invalid filters', async () => {
    const designed = '<!doctype html><p>x</p>';
    const news = await given.template({ name: 'News', category: 'newsletter', body: designed });
    await given.template({ name: 'Letter', category: 'newsletter' });
    await given.template({ name: 'Other' });
    await given.pack([news], { name: 'Sequence' });
    expect(await shown('?category=newsletter')).toEqual(['News', 'Letter']);
    expect(await shown('?kind=plain')).toEqual(['Letter', 'Other']);
    expect(await shown('?kind=designed&category=other')).toEqual([]);
    expect(await shown('?kind=pack')).toEqual(['Sequence']);
    expect(await shown('?kind=pack&category=welcome')).toEqual(['Sequence']);
    for (const invalid of ['category=x', 'kind=x', 'category=welcome&category=x', 'category=%00', 'kind[a]=pack']) {
      expect(await shown(`?${invalid}`)).toHaveLength(4);
    }
  });

  it('searches names, subjects and descriptions of templates and packs for every word, in any case', async () => {
    const id = await given.template({
      name: 'Überraschung',
      subject: 'Offer of 100% {{ x }}',
      description: 'for shops',
    });
    await given.template({ name: 'Offer', description: 'for offices' });
    await given.pack([id], { name: 'Sequence', slug: 'two-offers', description: 'For Shops' });
    expect(await shown('?search=OFFER')).toEqual(['Überraschung', 'Offer', 'Sequence']);
    expect(await shown('?search=++offer%0A+shops%00')).toEqual(['Überraschung', 'Sequence']);
    expect(await shown('?search=überr')).toEqual(['Überraschung']);
    expect(await shown('?search=100%25')).toEqual(['Überraschung']);
    expect(await shown('?search=offer_')).toEqual([]);
    expect(await shown('?search=offer&kind=pack')).toEqual(['Sequence']);
    expect(await shown('?search=%20')).toHaveLength(3);
    const { text } = await open('?search=offer+shops&category=other');
    expect(text).toContain('1 result for “offer shops”');
    expect(text).toMatch(/<input type="hidden" name="category" value="other" \/>[^]*value="offer shops"/);
  });

  it('says what to do if nothing matches, and how many results the other language has', async () => {
    await given.template({ name: 'Facture', locale: 'fr' });
    const { text } = await open('?search=facture');
    expect(headings(text, 2)).toEqual(['Nothing matches']);
    expect(text).toContain('Try fewer or other words');
    expect(text).toContain('<a href="?lang=fr&amp;search=facture" hreflang="fr">1 result in French</a>');
    expect((await open('?search=none')).text).not.toContain('in French');
    await GivenMarketplace.empty(service.database);
    expect((await open()).text).toContain('There is nothing here yet.');
  });

  it('shortens a search of 10 kB, and responds to any characters in it', async () => {
    await given.template({ name: 'x'.repeat(255) });
    const { status, text } = await open(`?search=${'x'.repeat(10_000)}`);
    expect([status, text.includes(`1 result for “${'x'.repeat(100)}”`)]).toEqual([200, true]);
    for (const search of ['%F0%9F%99%82'.repeat(300), '%', '%ED%A0%80', "'--", '\\', '%E2%80%AE', '('.repeat(99)]) {
      const response = await open(`?search=${search}`);
      expect([search, response.status, response.text.includes('Nothing matches')]).toEqual([search, 200, true]);
    }
  });

  it('divides a list into pages of 20, and shows the last one for a later page', async () => {
    const body = '<!doctype html><p>x</p>';
    const names = Array.from({ length: 43 }, (_, index) => `Template ${String(index).padStart(2, '0')}`);
    for (const name of names) await given.template({ name, body: name < 'Template 21' ? body : 'letter' });
    await given.pack([await given.template({ name: 'Template 43' })], { name: 'Pack' });
    const pages = [];
    for (const page of [1, 2, 3, 4, 999_999]) pages.push(await shown(`?category=other&page=${page}`));
    expect(pages.slice(0, 3).flat()).toEqual([...names, 'Template 43']);
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 4, 4, 4]);
    expect((await shown('?search=a&page=3')).slice(-2)).toEqual(['Template 43', 'Pack']);
    for (const invalid of ['0', '-1', '1e9', 'x', '99999999999999999999', '1&page=2']) {
      expect(await shown(`?category=other&page=${invalid}`)).toEqual(pages[0]);
    }
    const { text } = await open('?kind=plain&page=2');
    expect(text).toContain('Page 2 of 2');
    expect(text).toContain('href="/mail/marketplace?kind=plain" rel="prev"');
  });

  it('lists a thousand packs with long names in pages of the same size', async () => {
    const template = await given.template({ name: 'T', slug: 't' });
    await service.database.query(
      `WITH pack AS (
         INSERT INTO marketplace_packs (slug, name, description, locale, is_featured, is_published, origin)
         SELECT 'pack-' || n, repeat('W', 250) || n, repeat('long ', 200), 'en', FALSE, TRUE, 'operator'
         FROM generate_series(1, 1000) n RETURNING id
       ) INSERT INTO marketplace_pack_templates SELECT id, 1, $1 FROM pack`,
      [template],
    );
    expect(await shown('')).toHaveLength(4);
    expect(await shown('?kind=pack&page=50')).toHaveLength(20);
    const { text } = await open('?search=pack-7');
    expect(headings(text, 3)).toHaveLength(20);
    expect(text.length).toBeLessThan(100_000);
  });

  it('serves the pictures of shipped templates for ever, and shows them only beside the HTML they were drawn from', async () => {
    const { templates } = await readCatalogue(CATALOGUE);
    const shipped = templates.find(({ slug }) => slug === 'newsletter-monthly-digest');
    await given.template({ ...shipped, origin: 'shipped' });
    const [, light = ''] = /<img\s+src="\/mail\/marketplace(\/thumbnails\/[^"]+)"/.exec((await open()).text) ?? [];
    const image = await fetch(`${service.url}/marketplace${light}`);
    expect(image.status).toBe(200);
    expect(Buffer.from(await image.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP');
    expect(image.headers.get('content-type')).toBe('image/webp');
    expect(image.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(image.headers.get('x-content-type-options')).toBe('nosniff');
    await GivenMarketplace.empty(service.database);
    await given.template({ ...shipped, body: `${shipped?.body}<p>changed</p>` });
    const { text } = await open();
    expect(text).not.toContain('<img');
    expect(text).toMatch(/<div class="shot live" inert><iframe\s+src="[^"]+\/preview"/);
    for (const name of [
      light.replace(/\.\w+\.webp/, '.000000000000.webp'),
      '/thumbnails/..%2f..%2findex.js',
      '/thumbnails/x',
    ]) {
      const missing = await open(name);
      expect([name, missing.status, missing.headers.get('cache-control')]).toEqual([name, 404, 'no-store']);
    }
  });

  it('shows the API call that copies a record', async () => {
    const id = await given.template({ slug: 'one', variables: ['first_name', 'plan'] });
    const pack = await given.pack([id], { slug: 'pack' });
    const template = (await open('/templates/one')).text;
    expect(template).toContain(`curl -X POST https://outreach.test/mail/v1/marketplace/templates/${id}/copy \\\n`);
    expect(template).toMatch(/<code>first_name<\/code>\s*<code>plan<\/code>/);
    expect(template).toContain('<code>one</code>');
    expect(template).toContain(`<code id="record-id">${id}</code>`);
    expect((await open('/packs/pack')).text).toContain(`/v1/marketplace/packs/${pack}/copy`);
  });

  it('shows HTML and text of a template with their variables, to be copied', async () => {
    const body = '<p>Hello {{ first_name | default: "\\"you\\" & all" }},</p>\n<p><a href="{{ url }}">go</a></p>';
    await given.template({ slug: 'one', body, subject: 'To {{ first_name }}' });
    const { text } = await open('/templates/one');
    const content = (id: string) =>
      decoded(new RegExp(`<pre tabindex="0"><code id="${id}" dir="auto">([^]*?)</code></pre>`).exec(text)?.[1] ?? '');
    expect(content('source-subject')).toBe('To {{ first_name }}');
    expect(content('source-html')).toBe(body);
    expect(content('source-text')).toBe('Hello {{ first_name | default: "\\"you\\" & all" }},\n\ngo <{{ url }}>');
    expect(text.match(/<button type="button" class="copy" data-copies="[\w-]+" hidden>/g)).toHaveLength(5);
  });

  it('escapes the texts of records', async () => {
    const text = `<script>alert("1")</script>'&{{ x | default: "<b>" }}</code>`;
    const texts = { name: text, description: text, subject: text, body: text };
    const id = await given.template({ ...texts, slug: 'bad', variables: [text] });
    await given.pack([id], { slug: 'bad', name: text, description: text, is_featured: true });
    for (const path of ['', '/packs/bad', '/templates/bad', `?search=${encodeURIComponent(text)}`]) {
      const page = (await open(path)).text;
      expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
      expect(page).not.toContain('<script>alert');
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
