import type { Browser, Page } from 'playwright-core';
import { MessageLinks } from '../../src/sending/index.js';
import { accessibilityViolations, inAllAppearances, LANGUAGES, overflow, startBrowser } from '../support/browser.js';
import { Given } from '../support/given.js';
import { startService, type TestService } from '../support/service.js';

describe('the HTML pages', () => {
  let service: TestService;
  let browser: Browser;
  let unsubscribePath: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    unsubscribePath = await createUnsubscribePath(service);
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
  ];
  const views = pages.flatMap(([name, path]) => LANGUAGES.map((language) => [name, language, path] as const));

  it.each(views)(
    'include %s (%s) without overflow, accessibility violations or console errors, light and dark, wide and narrow',
    async (_, language, path) => {
      const consoleErrors = await inAllAppearances(browser, service.url + path(), language, expectAccessible);
      expect(consoleErrors).toEqual([]);
    },
  );

  it.each(LANGUAGES)('report unknown records in the language of the browser (%s)', async (language) => {
    for (const path of ['/marketplace/packs/unknown', '/u/unknown', '/oauth/google/callback?state=unknown']) {
      await inAllAppearances(browser, service.url + path, language, async (page, appearance) => {
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

async function createUnsubscribePath(service: TestService): Promise<string> {
  const api = await service.client();
  const given = new Given(api, service.database);
  const { id } = await given.sentMessage((await given.contact()).id);
  const links = service.app.get(MessageLinks, { strict: false });
  return new URL(links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: id })).pathname;
}
