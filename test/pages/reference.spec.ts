import type { Browser, Page } from 'playwright-core';
import { accessibilityViolations, type BrowserSettings, openPage, overflow, startBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { startService, type TestService } from '../support/service.js';

const DESKTOP: BrowserSettings = { language: 'en', scheme: 'light', width: 1440 };
const APPEARANCES = (['light', 'dark'] as const).flatMap((scheme) =>
  [1440, 390].map((width) => [scheme, width] as const),
);

describe('the API reference in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    ({ token } = await service.client());
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const open = async (fragment: string, settings = DESKTOP) => {
    const opened = await openPage(browser, 'about:blank', settings);
    const requests: URL[] = [];
    opened.page.on('request', (request) => requests.push(new URL(request.url())));
    await opened.page.goto(`${service.url}/docs${fragment}`);
    await opened.page.getByRole('heading', { name: 'Outreach API' }).waitFor();
    return { ...opened, requests };
  };

  /** Everything that has an address and is not part of the page itself. */
  const foreign = (requests: readonly URL[]): string[] =>
    requests
      .filter(({ protocol, origin }) => !/^(data|blob):$/.test(protocol) && origin !== new URL(service.url).origin)
      .map(String);

  const operation = (page: Page, id: string) => page.locator(`section[id$="/${id}"]`);

  const openForm = async (page: Page, id: string): Promise<void> => {
    await operation(page, id).getByRole('button', { name: 'Test Request' }).click();
    await page.getByRole('button', { name: 'Send', exact: false }).first().waitFor();
  };

  it('sends a request with the token that was entered, to the service that it is from, and shows the response', async () => {
    const { page, consoleErrors, requests } = await open('#tag/me/getMe');
    await page.getByPlaceholder('Token').first().fill(token);
    await operation(page, 'getMe').scrollIntoViewIfNeeded();
    await openForm(page, 'getMe');
    const sent = page.waitForRequest((request) => request.url() === `${service.url}/v1/me`);
    await page.keyboard.press('Control+Enter');
    const response = await (await sent).response();
    expect(response?.status()).toBe(200);
    expect((await (await sent).allHeaders()).authorization).toBe(`Bearer ${token}`);
    await page.getByRole('dialog').getByText('"is_sandbox"').first().waitFor();
    expect([foreign(requests), consoleErrors]).toEqual([[], []]);
    await page.close();
  });
});
