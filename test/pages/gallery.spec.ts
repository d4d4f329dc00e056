import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { type BrowserSettings, openPage, overflow, startBrowser } from '../support/browser.js';
import { GivenMarketplace } from '../support/given-marketplace.js';
import { startService, type TestService } from '../support/service.js';

const DESKTOP: BrowserSettings = { language: 'en', scheme: 'light', width: 1280 };
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
    await page.getByRole('link', { name: 'Français', exact: true }).click();
    expect(await page.getAttribute('html', 'lang')).toBe('fr');
    await page.getByRole('link', { name: 'Onboarding: the first week' }).click();
    await page.getByRole('link', { name: 'A letter with one question' }).click();
    expect(await page.getAttribute('html', 'lang')).toBe('fr');
    expect(await page.textContent('h1')).toBe('A letter with one question');
    await page.getByRole('link', { name: 'Tous les modèles et packs' }).click();
    await page.getByRole('link', { name: 'Lettre d’information', exact: true }).click();
    await page.getByRole('link', { name: 'Français', exact: true }).last().click();
    expect(new URL(page.url()).search).toBe('?lang=fr&category=newsletter&locale=fr');
    expect(await page.locator('.card').count()).toBe(3);
    expect(consoleErrors).toEqual([]);
    await page.close();
  });

  it('reaches every link by keyboard, with a visible focus', async () => {
    const { page } = await openPage(browser, `${service.url}/marketplace?locale=en`, DESKTOP);
    const links = await page.locator('a').count();
    const reached = new Set<string>();
    for (let press = 0; press < links; press += 1) {
      await page.keyboard.press('Tab');
      const { name, outline } = await focused(page);
      expect([name, outline]).toEqual([name, 'solid']);
      reached.add(name);
    }
    expect(reached).toContain('One question to start');
    expect(reached.has('IFRAME')).toBe(false);
    await page.close();
  });

  it('shows the rendered email in a frame whose links do not navigate', async () => {
    const { page, consoleErrors } = await openPage(
      browser,
      `${service.url}/marketplace/templates/newsletter-monthly-digest`,
      DESKTOP,
    );
    const mail = page.frameLocator('iframe');
    expect(await mail.getByText('Hi Camille, three things from this month').count()).toBe(1);
    expect(consoleErrors).toEqual([]);
    await mail.getByRole('link', { name: 'What we changed this month' }).click();
    expect(page.frames().map((frame) => new URL(frame.url()).pathname)).toEqual([
      '/marketplace/templates/newsletter-monthly-digest',
      '/marketplace/templates/newsletter-monthly-digest/preview',
    ]);
    await page.close();
  });

  it('loads few previews before the page is scrolled', async () => {
    const page = await browser.newPage();
    const previews: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/preview')) previews.push(request.url());
    });
    await page.goto(`${service.url}/marketplace`, { waitUntil: 'networkidle' });
    expect(previews.length).toBeLessThan(5);
    expect(await page.locator('iframe').count()).toBeLessThan(15);
    await page.close();
  });

  it('shows every shipped template without console errors and without overflow on a phone in dark mode', async () => {
    const rows = await service.database.query<{ slug: string }>('SELECT slug FROM marketplace_templates ORDER BY slug');
    expect(rows.length).toBeGreaterThanOrEqual(60);
    const { page, consoleErrors } = await openPage(browser, `${service.url}/marketplace`, PHONE);
    // The sandbox prevents measurements, so a page outside of it measures the same HTML.
    const { page: measured } = await openPage(browser, 'about:blank', PHONE);
    for (const { slug } of rows) {
      const response = await page.goto(`${service.url}/marketplace/templates/${slug}/preview`);
      await measured.setContent((await response?.text()) ?? '');
      expect([slug, await overflow(measured), consoleErrors]).toEqual([slug, 0, []]);
    }
    await page.close();
    await measured.close();
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
      const page = await browser.newPage();
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

const focused = (page: Page): Promise<{ name: string; outline: string }> =>
  page.evaluate(`(() => {
    const element = document.activeElement;
    const own = getComputedStyle(element).outlineStyle;
    const outline = own === 'none' ? getComputedStyle(element, '::after').outlineStyle : own;
    return { name: element.textContent || element.tagName, outline };
  })()`);
