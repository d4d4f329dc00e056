import type { Browser, Page } from 'playwright-core';
import { MessageLinks } from '../../src/sending/index.js';
import {
  accessibilityViolations,
  inAllAppearances,
  LANGUAGES,
  newPage,
  openPage,
  overflow,
  startBrowser,
} from '../support/browser.js';
import { Given } from '../support/given.js';
import { startService, type TestService } from '../support/service.js';

/** The tracking domain of another workspace. */
const FOREIGN_HOST = 'links.other.example';

describe('the HTML pages', () => {
  let service: TestService;
  let browser: Browser;
  let unsubscribePath: string;
  let brandedPath: string;

  beforeAll(async () => {
    service = await startService();
    browser = await startBrowser({ [FOREIGN_HOST]: new URL(service.url).host });
    unsubscribePath = await createUnsubscribePath(service);
    brandedPath = await createUnsubscribePath(service, { brand_name: 'Donaudampfschifffahrts'.repeat(4) });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const pages: [string, () => string][] = [
    ['the gallery', () => '/marketplace'],
    ['a category of the gallery', () => '/marketplace?category=newsletter'],
    ['a list of packs', () => '/marketplace?kind=pack'],
    ['a search without results', () => '/marketplace?search=xyzxyz'],
    ['a pack', () => '/marketplace/packs/onboarding-first-week'],
    ['a designed template', () => '/marketplace/templates/newsletter-monthly-digest'],
    ['a plain template', () => '/marketplace/templates/candidat-dix-minutes'],
    ['the unsubscribe page', () => unsubscribePath],
    ['the unsubscribe page of a brand', () => brandedPath],
  ];
  const views = pages.flatMap(([name, path]) => LANGUAGES.map((language) => [name, language, path] as const));

  it.each(views)(
    'include %s (%s) without overflow, accessibility violations or console errors, light and dark, wide and narrow',
    async (_, language, path) => {
      const consoleErrors = await inAllAppearances(browser, service.url + path(), language, expectAccessible);
      expect(consoleErrors).toEqual([]);
    },
  );

  it.each(LANGUAGES)(
    'let a recipient refuse to be measured by the keyboard, without scripts, in a window of 320 pixels (%s)',
    async (locale) => {
      const path = await createUnsubscribePath(service);
      const page = await newPage(browser, {
        locale,
        javaScriptEnabled: false,
        viewport: { width: 320, height: 800 },
      });
      await page.goto(service.url + path);
      const buttons = await page.getByRole('button').all();
      expect(buttons).toHaveLength(2);
      for (const button of buttons) {
        await page.keyboard.press('Tab');
        expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
        const box = await button.boundingBox();
        expect([Number(box?.height) >= 44, Number(box?.x) >= 0, Number(box?.x) + Number(box?.width) <= 320]).toEqual([
          true,
          true,
          true,
        ]);
      }
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      expect(await page.title()).toBe(locale === 'en' ? 'Nothing is measured any more' : 'Plus rien n’est mesuré');
      await page.close();
      const { page: narrow } = await openPage(browser, service.url + path, {
        language: locale,
        scheme: 'dark',
        width: 320,
      });
      await expectAccessible(narrow, '320 px');
      await narrow.close();
    },
  );

  it.each(LANGUAGES)('report unknown records and hosts in the language of the browser (%s)', async (language) => {
    const paths = ['/marketplace/packs/unknown', '/u/unknown', '/oauth/google/callback?state=unknown'];
    for (const path of [...paths, `http://${FOREIGN_HOST}${unsubscribePath}`]) {
      await inAllAppearances(browser, new URL(path, service.url).href, language, async (page, appearance) => {
        expect(await page.getAttribute('html', 'lang')).toBe(language);
        await expectAccessible(page, appearance);
      });
    }
  });
});

async function expectAccessible(page: Page, appearance: string): Promise<void> {
  expect([appearance, await overflow(page)]).toEqual([appearance, 0]);
  expect([appearance, await accessibilityViolations(page)]).toEqual([appearance, []]);
}

async function createUnsubscribePath(service: TestService, settings: object = {}): Promise<string> {
  const api = await service.client();
  await api.put('/settings', settings);
  const given = new Given(api, service.database);
  const { id } = await given.sentMessage((await given.contact()).id);
  const links = service.app.get(MessageLinks, { strict: false });
  return new URL(links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: id })).pathname;
}
