import type { Browser, Page } from 'playwright-core';
import { accessibilityViolations, type BrowserSettings, openPage, overflow, startBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { startService, type TestService } from '../support/service.js';

const DESKTOP: BrowserSettings = { language: 'en', scheme: 'light', width: 1440 };
const APPEARANCES = (['light', 'dark'] as const).flatMap((scheme) =>
  [1440, 390].map((width) => [scheme, width] as const),
);
/** How many elements before the button of an operation the Tab key reaches at most. */
const MAX_TABS = 60;
const SECOND_MAIN = 'landmark-no-duplicate-main';

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

  it('loads everything from its own origin, also when it is searched and a form is opened', async () => {
    const { page, consoleErrors, requests } = await open('');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('unsubscribe');
    await page
      .getByRole('option', { name: /unsubscribe a contact/i })
      .first()
      .click();
    await operation(page, 'unsubscribeContact').getByRole('heading', { name: 'Unsubscribe a contact' }).waitFor();
    await openForm(page, 'unsubscribeContact');
    const responded = page.waitForResponse((response) => response.url().includes('/v1/contacts/'));
    await page.keyboard.press('Control+Enter');
    await responded;
    expect([foreign(requests), consoleErrors.filter((text) => !text.includes('401'))]).toEqual([[], []]);
    const paths = ['/docs', '/docs/renderer.js', '/docs/openapi.json', '/v1/contacts/4711/unsubscribe'];
    expect(requests.filter(({ protocol }) => protocol === 'http:').map(({ pathname }) => pathname)).toEqual(paths);
    await page.close();
  });

  it('cannot reach another host, whatever runs in it', async () => {
    const { page } = await open('');
    await page.evaluate(`(() => {
      window.refused = [];
      document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
      const attempt = (name, source) => document.head.append(Object.assign(document.createElement(name), source));
      fetch('http://127.0.0.1:1/').catch(() => undefined);
      attempt('img', { src: 'http://127.0.0.1:1/' });
      attempt('script', { src: 'http://127.0.0.1:1/' });
      attempt('script', { textContent: 'document.title = "ran"' });
      attempt('link', { rel: 'stylesheet', href: 'http://127.0.0.1:1/' });
      attempt('iframe', { src: 'http://127.0.0.1:1/' });
      new FontFace('other', 'url(http://127.0.0.1:1/)').load().catch(() => undefined);
    })()`);
    const directives = ['connect-src', 'font-src', 'frame-src', 'img-src', 'script-src-elem', 'style-src-elem'];
    await eventually(async () => {
      const refused = await page.evaluate<string[]>('refused');
      expect([...new Set(refused)].sort()).toEqual(directives);
    });
    expect(await page.title()).toBe('Outreach API');
    await page.close();
  });

  it('shows each example in curl and in TypeScript, and the other operations in the chosen language', async () => {
    const { page, consoleErrors } = await open('#tag/contacts/createContact');
    const shown = operation(page, 'createContact');
    await shown.getByText(`curl ${service.url}/v1/contacts`).waitFor();
    await shown.getByTestId('client-picker').click();
    await page.getByRole('option', { name: 'TypeScript' }).click();
    await shown.getByText("client.POST('/v1/contacts'").waitFor();
    await page.getByRole('link', { name: 'Create or update many contacts' }).click();
    await operation(page, 'upsertContacts').getByText("client.POST('/v1/contacts/bulk-upsert'").waitFor();
    expect(consoleErrors).toEqual([]);
    await page.close();
  });

  it('sends only the parameters that an operation needs unless a person turns others on', async () => {
    const { page } = await open('#tag/contacts/listContacts');
    await openForm(page, 'listContacts');
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/v1/contacts');
    await page.keyboard.press('Control+Enter');
    expect((await sent).url()).toBe(`${service.url}/v1/contacts`);
    expect((await (await sent).response())?.status()).toBe(401);
    await page.close();
  });

  it.each(APPEARANCES)('is accessible, with its forms, and does not overflow (%s, %i px)', async (scheme, width) => {
    const { page } = await open('#tag/contacts/createContact', { language: 'en', scheme, width });
    await operation(page, 'createContact').getByTestId('client-picker').waitFor();
    await eventually(async () => expect(await accessibilityViolations(page)).toEqual([]));
    expect(await overflow(page)).toBe(0);
    await openForm(page, 'createContact');
    // The form has a landmark of its own.
    const others = async () => (await accessibilityViolations(page)).filter((one) => !one.startsWith(SECOND_MAIN));
    await eventually(async () => expect(await others()).toEqual([]));
    await page.close();
  });

  it('can be used with the keyboard alone, with a visible focus', async () => {
    const { page } = await open('#tag/me/getMe');
    await operation(page, 'getMe').getByRole('button', { name: 'Test Request' }).waitFor();
    const focusedText = () => page.evaluate<string>('document.activeElement.textContent');
    for (let press = 0; press < MAX_TABS && !(await focusedText()).startsWith('Test Request'); press += 1)
      await page.keyboard.press('Tab');
    expect(await focusedText()).toContain('/v1/me');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await eventually(async () => expect(await focusedText()).toContain('/v1/me'));
    await page.close();
  });

  it('opens at the operation that a link names, and keeps the address until the reader moves', async () => {
    const { page } = await open('#tag/webhooks/createWebhook');
    await operation(page, 'createWebhook').getByRole('button', { name: 'Test Request' }).waitFor();
    const top = () =>
      page.evaluate<number>(`document.querySelector('section[id$="/createWebhook"]').getBoundingClientRect().top`);
    await eventually(async () => expect(Math.abs(await top())).toBeLessThan(100));
    expect(new URL(page.url()).hash).toBe('#tag/webhooks/createWebhook');
    await page.mouse.wheel(0, 3_000);
    await eventually(async () => expect(new URL(page.url()).hash).not.toBe('#tag/webhooks/createWebhook'));
    await page.close();
  });

  it('does not cut the first sample of code', async () => {
    const { page } = await open('');
    const sample = page.locator('pre code').first();
    await sample.waitFor();
    expect(await sample.evaluate((code) => code.scrollWidth - code.clientWidth)).toBe(0);
    await page.close();
  });

  it.each([
    ['#tag/contacts/patchContact', '#tag/contacts/updateContact'],
    ['#/Me/getMe', '#tag/me/getMe'],
    ['#/Custom%20fields/createCustomField', '#tag/custom-fields/createCustomField'],
  ])('leads the earlier link %s to %s', async (earlier, now) => {
    const { page } = await open(earlier);
    await operation(page, now.split('/').at(-1) ?? '').waitFor();
    expect(new URL(page.url()).hash).toBe(now);
    await page.close();
  });
});
