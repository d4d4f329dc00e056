import type { Browser } from 'playwright-core';
import { MessageLinks } from '../../src/sending/index.js';
import { barriers, type Look, LOOKS, openPage, overflow, startBrowser } from '../support/browser.js';
import { Given } from '../support/given.js';
import { startService, type TestService } from '../support/service.js';

const lookOf = ({ language, scheme, width }: Look): string => `${language}, ${scheme}, ${width} px`;

describe('pages for people', () => {
  let service: TestService;
  let browser: Browser;
  let unsubscribing: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    unsubscribing = await unsubscribePage(service);
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
    ['the unsubscribe page', () => unsubscribing],
  ];
  const views = pages.flatMap(([name, path]) => LOOKS.map((look) => [name, lookOf(look), path, look] as const));

  it.each(views)('show %s (%s)', async (_, __, path, look) => {
    const { page, complaints } = await openPage(browser, service.url + path(), look);
    expect(await overflow(page)).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(LOOKS)('say what is not there ($language, $scheme, $width px)', async (look) => {
    for (const path of ['/marketplace/packs/unknown', '/u/unknown']) {
      const { page } = await openPage(browser, service.url + path, look);
      expect(await page.getAttribute('html', 'lang')).toBe(look.language);
      expect(await overflow(page)).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await page.close();
    }
  });
});

async function unsubscribePage(service: TestService): Promise<string> {
  const api = await service.client();
  const given = new Given(api, service.database);
  const { id } = await given.sentMessage((await given.contact()).id);
  const links = service.app.get(MessageLinks, { strict: false });
  return new URL(links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: id })).pathname;
}
