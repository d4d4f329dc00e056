import type { Browser, Page } from 'playwright-core';
import type { ApiClient } from '../support/api-client.js';
import { accessibilityViolations, inAllAppearances, LANGUAGES, overflow, startBrowser } from '../support/browser.js';
import { ConnectingBrowser } from '../support/connecting-browser.js';
import { OpenidProvider } from '../support/openid-provider.js';
import { startService, type TestService } from '../support/service.js';

const NARROW = { width: 320, height: 800 };

const APPLICATION = 'http://app.test';

describe('the pages of the connection of a mailbox', () => {
  let provider: OpenidProvider;
  let service: TestService;
  let browser: Browser;
  let api: ApiClient;
  beforeAll(async () => {
    provider = await OpenidProvider.start();
    service = await startService({ ...provider.settings, OAUTH_REDIRECT_ORIGINS: APPLICATION });
    const { host } = new URL(service.url);
    browser = await startBrowser({ 'outreach.test': host, 'app.test': host });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await provider.stop();
  });
  beforeEach(async () => {
    api = await service.client();
    await service.database.query(`UPDATE workspaces SET name = $1 WHERE id = $2`, [
      'Donau'.repeat(50),
      api.workspaceId,
    ]);
    Object.assign(provider, { authorizationError: undefined, issuesRefreshTokens: true, failure: undefined });
  });

  const begun = async (fields: object = {}): Promise<string> =>
    (await api.post('/email-accounts/oauth/google', { name: 'Sales', ...fields })).data.authorization_url;
  const used = async (): Promise<string> => {
    const url = await begun();
    const connecting = new ConnectingBrowser(service);
    await connecting.open(await connecting.authorize(provider, url));
    return url;
  };
  const expired = async (): Promise<string> => {
    const url = await begun();
    service.clocks.advance(api.workspaceId, { minutes: 11 });
    return url;
  };
  const expectAccessible = async (page: Page, language: string, appearance: string): Promise<void> => {
    if (appearance.includes('360')) await page.setViewportSize(NARROW);
    expect(await page.getAttribute('html', 'lang')).toBe(language);
    expect([appearance, await overflow(page)]).toEqual([appearance, 0]);
    expect([appearance, await accessibilityViolations(page)]).toEqual([appearance, []]);
  };
  const agree = (page: Page) => page.getByRole('button').click();

  it.each(LANGUAGES)('ask a person, accessibly and also on 320 pixels (%s)', async (language) => {
    const errors = await inAllAppearances(browser, await begun(), language, async (page, appearance) => {
      expect(await page.getByRole('button').count()).toBe(1);
      await expectAccessible(page, language, appearance);
    });
    expect(errors).toEqual([]);
  });

  const ends: readonly (readonly [string, Partial<OpenidProvider>, () => Promise<string>])[] = [
    ['a connection', {}, begun],
    ['a refusal', { authorizationError: 'access_denied' }, begun],
    ['an error of the provider', { authorizationError: 'server_error' }, begun],
    ['missing access', { issuesRefreshTokens: false }, begun],
    ['a second visit', {}, used],
    ['a late visit', {}, expired],
  ];
  const views = ends.flatMap(([name, changes, open]) =>
    LANGUAGES.map((language) => [name, language, changes, open] as const),
  );

  it.each(views)('tell of %s (%s), accessibly and also on 320 pixels', async (_, language, changes, open) => {
    Object.assign(provider, changes);
    await inAllAppearances(browser, await open(), language, async (page, appearance) => {
      if ((await page.getByRole('button').count()) > 0) await agree(page);
      await page.getByRole('button').waitFor({ state: 'detached' });
      await expectAccessible(page, language, appearance);
    });
  });

  it('lead through the provider to the application, by a form that the Content-Security-Policy allows', async () => {
    const page = await browser.newPage();
    await page.goto(await begun({ redirect_to: `${APPLICATION}/done` }));
    await agree(page);
    await page.waitForURL(`${APPLICATION}/done?status=connected&email_account_id=*`);
    await page.close();
  });

  it('connect nothing in a browser that was only led to the provider', async () => {
    const url = await begun();
    const address = await new ConnectingBrowser(service).agree(url);
    const page = await browser.newPage();
    await page.goto(address ?? '');
    expect(await page.textContent('main')).toContain('not the browser in which');
    await page.close();
    expect((await api.get('/email-accounts')).data).toEqual([]);
  });
});
