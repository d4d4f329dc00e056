import type { Browser } from 'playwright-core';
import { MessageLinks } from '../../src/sending/index.js';
import {
  accessibilityViolations,
  type BrowserSettings,
  ALL_BROWSER_SETTINGS,
  openPage,
  overflow,
  startBrowser,
} from '../support/browser.js';
import { Given } from '../support/given.js';
import { startService, type TestService } from '../support/service.js';

const describeSettings = ({ language, scheme, width }: BrowserSettings): string =>
  `${language}, ${scheme}, ${width} px`;

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
    ['a category of the gallery', () => '/marketplace?category=newsletter&locale=fr'],
    ['a pack', () => '/marketplace/packs/onboarding-first-week'],
    ['a designed template', () => '/marketplace/templates/newsletter-monthly-digest'],
    ['a plain template', () => '/marketplace/templates/candidat-dix-minutes'],
    ['the unsubscribe page', () => unsubscribePath],
  ];
  const views = pages.flatMap(([name, path]) =>
    ALL_BROWSER_SETTINGS.map((settings) => [name, describeSettings(settings), path, settings] as const),
  );

  it.each(views)(
    'include %s without overflow, accessibility violations or console errors (%s)',
    async (_, __, path, settings) => {
      const { page, consoleErrors } = await openPage(browser, service.url + path(), settings);
      expect(await overflow(page)).toBe(0);
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(consoleErrors).toEqual([]);
      await page.close();
    },
  );

  it.each(ALL_BROWSER_SETTINGS)(
    'report unknown records in the language of the browser ($language, $scheme, $width px)',
    async (settings) => {
      for (const path of ['/marketplace/packs/unknown', '/u/unknown']) {
        const { page } = await openPage(browser, service.url + path, settings);
        expect(await page.getAttribute('html', 'lang')).toBe(settings.language);
        expect(await overflow(page)).toBe(0);
        expect(await accessibilityViolations(page)).toEqual([]);
        await page.close();
      }
    },
  );
});

async function createUnsubscribePath(service: TestService): Promise<string> {
  const api = await service.client();
  const given = new Given(api, service.database);
  const { id } = await given.sentMessage((await given.contact()).id);
  const links = service.app.get(MessageLinks, { strict: false });
  return new URL(links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: id })).pathname;
}
