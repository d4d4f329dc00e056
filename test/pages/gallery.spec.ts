import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { isDocument } from '@outreach/gallery-pages';
import { readCatalogue } from '../../src/marketplace/publishing/read-catalogue.js';
import { brandValues, renderPreview } from '../../src/templates/index.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityViolations,
  type BrowserSettings,
  LANGUAGES,
  type OpenedPage,
  newPage,
  openPage,
  overflow,
  startBrowser,
} from '../support/browser.js';
import { GivenMarketplace } from '../support/given-marketplace.js';
import { startService, type TestService } from '../support/service.js';

const catalogue = await readCatalogue(join(import.meta.dirname, '../../src/marketplace/catalogue'));
const designed = catalogue.templates.filter(({ body }) => isDocument(body));
const DESKTOP: BrowserSettings = { language: 'en', scheme: 'light', width: 1280 };
/** What the Tab key reaches. */
const CONTROLS = ['a', 'button', '[type=search]', ':checked', 'summary', 'iframe', 'pre']
  .map((selector) => `${selector}:visible`)
  .join(', ');
const PHONE: BrowserSettings = { language: 'fr', scheme: 'dark', width: 360 };

describe('the gallery in a browser', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('links from packs to templates, to the other language and to filtered lists', async () => {
    const { page, consoleErrors } = await openPage(browser, `${service.url}/marketplace`, DESKTOP);
    await page.getByRole('link', { name: 'Onboarding: the first week' }).click();
    await page.getByRole('link', { name: 'Français', exact: true }).click();
    expect(await page.getAttribute('html', 'lang')).toBe('fr');
    await page.getByRole('link', { name: 'A letter with one question' }).click();
    expect(await page.getAttribute('html', 'lang')).toBe('fr');
    expect(await page.textContent('h1')).toBe('A letter with one question');
    await page.getByRole('link', { name: 'Tous les modèles et packs' }).click();
    await page.getByRole('link', { name: 'Lettre d’information', exact: true }).click();
    await page.waitForURL(/category=/);
    expect(new URL(page.url()).search).toBe('?lang=fr&category=newsletter');
    expect(await page.locator('.tile').count()).toBe(3);
    expect(consoleErrors).toEqual([]);
    await page.close();
  });

  it('searches without scripts, within the chosen language and category', async () => {
    const page = await newPage(browser, { javaScriptEnabled: false });
    await page.goto(`${service.url}/marketplace?lang=fr&category=promotional`);
    await page.getByRole('searchbox', { name: 'Rechercher un modèle' }).fill('webinaire');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=/);
    expect(new URL(page.url()).search).toBe('?lang=fr&category=promotional&search=webinaire');
    expect(await page.getByRole('heading', { level: 3 }).count()).toBeGreaterThan(1);
    await page.getByRole('searchbox').fill('xyzxyz');
    await page.getByRole('button', { name: 'Rechercher' }).click();
    await page.getByRole('link', { name: 'Tout afficher' }).click();
    expect(new URL(page.url()).search).toBe('?lang=fr');
    await page.close();
  });

  it.each([
    [1440, 3_000],
    [390, 6_000],
  ])('is short at a width of %i pixels, and nothing moves while its pictures are loaded', async (width, maxHeight) => {
    for (const language of LANGUAGES) {
      const { page } = await openPage(browser, `${service.url}/marketplace`, { ...DESKTOP, language, width });
      const height = await heightOf(page);
      expect(height).toBeLessThanOrEqual(maxHeight);
      const pictures = page.locator('.tile img');
      expect(await pictures.count()).toBe(8);
      for (const picture of await pictures.all()) await picture.scrollIntoViewIfNeeded();
      await eventually(async () => {
        const widths = await page.evaluate(
          "[...document.querySelectorAll('.tile img')].map((image) => image.naturalWidth)",
        );
        expect(widths).toEqual(Array(8).fill(480));
      });
      expect(await heightOf(page)).toBe(height);
      await page.close();
    }
  });

  it('copies HTML, text, ID and command, and says so to screen readers', async () => {
    const slug = 'follow-up-three-checks';
    const page = await newPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${service.url}/marketplace/templates/${slug}`);
    const [stored] = await service.database.query<{ id: string; body: string }>(
      'SELECT id, body FROM marketplace_templates WHERE slug = $1',
      [slug],
    );
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
      await eventually(async () => expect(await page.getByRole('status').textContent()).toBe(`Copied: ${name}`));
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    expect(await copied('Copy HTML')).toBe(stored?.body);
    expect(await copied('Copy text')).toMatch(/^Hi \{\{ first_name \| default: "there" \}\},\n\nHere is a quick way/);
    expect(await copied('Copy ID')).toBe(String(stored?.id));
    expect(await copied('Copy command')).toMatch(
      /^curl -X POST http\S+\/copy \\\n {2}-H "Authorization: Bearer \$OUTREACH_TOKEN"$/,
    );
    expect(await page.locator(':focus').textContent()).toBe('Copy command');
    await page.close();
  });

  it('copies a selection where the clipboard is not available, and shows no buttons without scripts', async () => {
    const path = '/marketplace/templates/follow-up-three-checks';
    const page = await newPage(browser);
    await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.addEventListener('copy', () => { document.title = String(getSelection()) || document.activeElement.value });`);
    await page.goto(service.url + path);
    await page.getByRole('button', { name: 'Copy subject' }).click();
    await eventually(async () =>
      expect(await page.title()).toBe('Three checks for {{ topic | default: "lead follow-up" }}'),
    );
    await page.close();
    const plain = await newPage(browser, { javaScriptEnabled: false });
    await plain.goto(service.url + path);
    expect(await plain.getByRole('button').count()).toBe(0);
    await plain.getByText('HTML', { exact: true }).click();
    expect(await plain.locator('#source-html').isVisible()).toBe(true);
    await plain.close();
  });

  it('reaches every link and control by keyboard, with a visible focus', async () => {
    for (const path of ['/marketplace', '/marketplace/templates/newsletter-monthly-digest']) {
      const { page } = await openPage(browser, service.url + path, DESKTOP);
      await framesLoaded(page);
      const controls = await page.locator(CONTROLS).count();
      const reached = new Set<string>();
      for (let press = 0; press < controls; press += 1) {
        await page.keyboard.press('Tab');
        const { name, outline } = await focused(page);
        // The document in a frame shows its focus.
        if (name !== 'IFRAME') expect([path, name, outline]).toEqual([path, name, 'solid']);
        reached.add(name);
      }
      expect([...reached]).toEqual(
        expect.arrayContaining([
          expect.stringContaining(path.includes('templates') ? 'Copy HTML' : 'One question to start'),
        ]),
      );
      await page.close();
    }
  });

  it('shows the rendered email in a frame whose links do not navigate', async () => {
    const { page, consoleErrors } = await openPage(
      browser,
      `${service.url}/marketplace/templates/newsletter-monthly-digest`,
      DESKTOP,
    );
    const mail = page.frameLocator('iframe');
    // The frame is loaded when it is visible, which may be after the network was idle.
    await eventually(async () => expect(await mail.getByText('Hi Emma, three things from this month').count()).toBe(1));
    expect(consoleErrors).toEqual([]);
    await mail.getByRole('link', { name: 'What we changed this month' }).click();
    expect(page.frames().map((frame) => new URL(frame.url()).pathname)).toEqual([
      '/marketplace/templates/newsletter-monthly-digest',
      '/marketplace/templates/newsletter-monthly-digest/preview',
    ]);
    await page.close();
  });

  it('loads few pictures before the page is scrolled, and no previews', async () => {
    const page = await newPage(browser);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`${service.url}/marketplace?kind=designed`, { waitUntil: 'networkidle' });
    await eventually(() => expect(requests.filter((path) => path.includes('/thumbnails/'))).not.toEqual([]));
    expect(requests.filter((path) => path.endsWith('/preview'))).toEqual([]);
    expect(await page.locator('iframe').count()).toBe(0);
    await page.close();
  });

  describe('on a phone in dark mode', () => {
    let opened: OpenedPage;
    // The sandbox prevents measurements, so a page outside of it measures the same HTML.
    let measured: OpenedPage;

    beforeAll(async () => {
      opened = await openPage(browser, `${service.url}/marketplace`, PHONE);
      measured = await openPage(browser, 'about:blank', PHONE);
    });
    afterAll(() => Promise.all([opened.page.close(), measured.page.close()]));

    it.each(catalogue.templates.map(({ slug }) => slug))(
      'shows the shipped template %s without console errors and without overflow',
      async (slug) => {
        const response = await opened.page.goto(`${service.url}/marketplace/templates/${slug}/preview`);
        await measured.page.setContent((await response?.text()) ?? '');
        expect([await overflow(measured.page), opened.consoleErrors]).toEqual([0, []]);
      },
    );
  });

  describe.each(['#ffe600', '#7f7f7f', '#14001f', undefined])('in the brand color %s', (color) => {
    const brand = brandValues({ brand_name: 'Acme', brand_color: color ?? null, logo_url: null }, '');
    let page: Page;

    beforeAll(async () => {
      page = await newPage(browser);
    });
    afterAll(() => page.close());

    it.each(designed.map((template) => [template.slug, template] as const))(
      'shows the designed template %s with readable texts, light and dark',
      async (_, template) => {
        await page.setContent(renderPreview(template, undefined, { brand }).body);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect([colorScheme, await accessibilityViolations(page, 'color-contrast')]).toEqual([colorScheme, []]);
        }
      },
    );
  });

  it('shows long, right-to-left and unbroken texts without overflow and without moving other texts', async () => {
    const given = await GivenMarketplace.empty(service.database);
    const texts = [
      'W'.repeat(255),
      '\u202e\u05e9\u05dc\u05d5\u05dd '.repeat(40).trim(),
      '\u{1f642}'.repeat(255),
      '<b>&amp;',
    ];
    const ids = [];
    for (const [index, name] of texts.entries()) {
      const body = index % 2 === 0 ? `<!doctype html><p>${name}</p>` : name;
      const fields = { slug: `text-${index}`, name, description: name, subject: name, body, variables: [name] };
      ids.push(await given.template(fields));
    }
    await given.pack(ids, { slug: 'texts', name: texts[1], description: texts[0] });
    const paths = [
      '',
      '?kind=pack',
      `?search=${'W'.repeat(3_000)}`,
      '/packs/texts',
      ...ids.map((_, n) => `/templates/text-${n}`),
    ];
    for (const path of paths) {
      const { page, consoleErrors } = await openPage(browser, `${service.url}/marketplace${path}`, PHONE);
      expect([path, await overflow(page), await accessibilityViolations(page), consoleErrors]).toEqual([
        path,
        0,
        [],
        [],
      ]);
      const heading = page.getByRole('banner').getByRole('link').first();
      expect(await heading.textContent()).toBe('Catalogue de modèles');
      await page.close();
    }
  });

  describe('with a hostile template', () => {
    let externalServer: Server;
    let requests: string[];
    const slug = 'hostile';

    beforeAll(async () => {
      requests = [];
      externalServer = createServer((request, response) => {
        requests.push(request.url ?? '');
        response.end();
      }).listen(0, '127.0.0.1');
      await once(externalServer, 'listening');
      const { port } = externalServer.address() as AddressInfo;
      const given = await GivenMarketplace.empty(service.database);
      await given.template({
        slug,
        name: '</title><script>document.title = "ran"</script>',
        body: hostileBody(`http://127.0.0.1:${port}`),
      });
    });
    afterAll(() => externalServer.close());

    /** Each element of the template would change the title or send a request to the external server. */
    const expectHarmless = async (page: Page): Promise<void> => {
      await eventually(async () => {
        const shown = await Promise.all(page.frames().map((frame) => frame.locator('text=the last line').count()));
        expect(shown).toContain(1);
      });
      await page.waitForLoadState('networkidle');
      expect(await page.title()).not.toBe('ran');
      expect(requests).toEqual([]);
      expect(page.context().pages()).toHaveLength(1);
    };

    it('runs no script and sends no request in the frame', async () => {
      const { page } = await openPage(browser, `${service.url}/marketplace/templates/${slug}`, DESKTOP);
      await expectHarmless(page);
      expect(await page.getAttribute('body', 'data-ran')).toBeNull();
      await page.close();
    });

    it('runs no script and sends no request if the preview is opened alone', async () => {
      const { page } = await openPage(browser, `${service.url}/marketplace/templates/${slug}/preview`, DESKTOP);
      await expectHarmless(page);
      await page.close();
    });

    it('sends requests if the headers are removed, so the test can detect them', async () => {
      const html = await (await fetch(`${service.url}/marketplace/templates/${slug}/preview`)).text();
      const page = await newPage(browser);
      await page.setContent(html);
      await eventually(async () => expect(requests).toEqual(expect.arrayContaining(['/image', '/script', '/style'])));
      await page.close();
    });
  });
});

const hostileBody = (externalServer: string): string =>
  `<p>Hello {{ first_name }}</p>
  <script>document.title = 'ran'; parent.document.body.dataset.ran = 'yes'</script>
  <script src="${externalServer}/script"></script>
  <img src="data:image/png;base64,x" onerror="document.title = 'ran'; new Image().src = '${externalServer}/onerror'">
  <img src="${externalServer}/image"><link rel="stylesheet" href="${externalServer}/style">
  <style>@import '${externalServer}/import'; p { background: url(${externalServer}/background) }</style>
  <iframe src="${externalServer}/frame"></iframe><object data="${externalServer}/object"></object>
  <video src="${externalServer}/video" poster="${externalServer}/poster"></video>
  <meta http-equiv="refresh" content="0; url=${externalServer}/refresh">
  <form action="${externalServer}/form" id="form"><input autofocus onfocus="this.form.submit()"></form>
  <svg><image href="${externalServer}/svg" /></svg><p>the last line</p>`;

/** Waits until the frames of a page have their documents: a document that replaces another one takes its focus away. */
async function framesLoaded(page: Page): Promise<void> {
  for (const frame of await page.locator('iframe').all()) {
    await frame.scrollIntoViewIfNeeded();
    const content = await (await frame.elementHandle())?.contentFrame();
    await content?.waitForURL(/preview/, { waitUntil: 'load' });
  }
  await page.evaluate('scrollTo(0, 0)');
}

/**
 * The name of the focused element, and the style of the outline around it, its card or its label. A frame has a process
 * of its own: until it has accepted the focus, no element has it.
 */
const focused = (page: Page): Promise<{ name: string; outline: string }> =>
  eventually(() =>
    page.evaluate(`(() => {
    const element = document.activeElement;
    if (element === document.body) throw new Error('no element has the focus');
    const outlined = [element, element.closest('.tile, .card'), element.labels?.[0]].filter(Boolean);
    const outlines = outlined.map((each) => getComputedStyle(each).outlineStyle);
    return { name: element.textContent.trim() || element.tagName, outline: outlines.includes('solid') ? 'solid' : 'none' };
  })()`),
  );

const heightOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollHeight');
