import type { Browser } from 'playwright-core';
import type { ApiClient } from '../support/api-client.js';
import { accessibilityViolations, inAllAppearances, LANGUAGES, overflow, startBrowser } from '../support/browser.js';
import { OpenidProvider } from '../support/openid-provider.js';
import { startService, type TestService } from '../support/service.js';

const NARROW = { width: 320, height: 800 };

describe('the pages at the end of the connection of a mailbox', () => {
  let provider: OpenidProvider;
  let service: TestService;
  let browser: Browser;
  let api: ApiClient;
  beforeAll(async () => {
    provider = await OpenidProvider.start();
    [service, browser] = await Promise.all([startService(provider.settings), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await provider.stop();
  });
  beforeEach(async () => {
    api = await service.client();
    Object.assign(provider, { authorizationError: undefined, issuesRefreshTokens: true, failure: undefined });
  });

  const callback = async (): Promise<string> => {
    const { data } = await api.post('/email-accounts/oauth/google', { name: 'Sales' });
    const { pathname, search } = await provider.authorize(data.authorization_url);
    return `${service.url}${pathname}${search}`;
  };
  const used = async (): Promise<string> => {
    const url = await callback();
    await fetch(url);
    return url;
  };
  const expired = async (): Promise<string> => {
    const url = await callback();
    service.clocks.advance(api.workspaceId, { minutes: 11 });
    return url;
  };

  const ends: readonly (readonly [string, Partial<OpenidProvider>, () => Promise<string>])[] = [
    ['a connection', {}, callback],
    ['a refusal', { authorizationError: 'access_denied' }, callback],
    ['an error of the provider', { authorizationError: 'server_error' }, callback],
    ['missing access', { issuesRefreshTokens: false }, callback],
    ['a second visit', {}, used],
    ['a late visit', {}, expired],
  ];
  const views = ends.flatMap(([name, changes, open]) =>
    LANGUAGES.map((language) => [name, language, changes, open] as const),
  );

  it.each(views)('tell of %s (%s), accessibly and also on 320 pixels', async (_, language, changes, open) => {
    Object.assign(provider, changes);
    await inAllAppearances(browser, await open(), language, async (page, appearance) => {
      if (appearance.includes('360')) await page.setViewportSize(NARROW);
      expect(await page.getAttribute('html', 'lang')).toBe(language);
      expect([appearance, await overflow(page)]).toEqual([appearance, 0]);
      expect([appearance, await accessibilityViolations(page)]).toEqual([appearance, []]);
    });
  });
});
