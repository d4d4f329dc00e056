import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { TIME_FACTOR } from './eventually.js';

/** The settings of a browser that opens a page. */
export interface BrowserSettings {
  readonly language: 'en' | 'fr';
  readonly scheme: 'light' | 'dark';
  readonly width: number;
}

/** The languages of the pages. */
export const LANGUAGES = ['en', 'fr'] as const;

/** The color schemes and the widths, in pixels, that each page is tested with. */
const APPEARANCES = (['light', 'dark'] as const).flatMap((scheme) => [1280, 360].map((width) => ({ scheme, width })));

const HEIGHT = 900;
/** For whatever a page waits for. */
const TIMEOUT_MS = 30_000 * TIME_FACTOR;

/** A page and the errors of its console, including violations of the Content-Security-Policy. */
export interface OpenedPage {
  readonly page: Page;
  readonly consoleErrors: string[];
}

/**
 * Starts Debian's Chromium. As root it starts only without its process sandbox, which does not affect `sandbox` of
 * frames.
 * @param hosts where names lead, such as `{ 'outreach.test': '127.0.0.1:3000' }`
 */
export const startBrowser = (hosts: Readonly<Record<string, string>> = {}): Promise<Browser> => {
  const rules = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
  const args = ['--no-sandbox', `--host-resolver-rules=${rules.join(', ')}`];
  return chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args });
};

/** Opens an empty page in a context of its own, whose waits have the limit of this machine. */
export async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(TIMEOUT_MS);
  return page;
}

export async function openPage(browser: Browser, url: string, settings: BrowserSettings): Promise<OpenedPage> {
  const options: BrowserContextOptions = {
    colorScheme: settings.scheme,
    locale: settings.language,
    viewport: { width: settings.width, height: HEIGHT },
  };
  const page = await newPage(browser, options);
  const consoleErrors: string[] = [];
  page.on('pageerror', (error) => consoleErrors.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) consoleErrors.push(message.text());
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  return { page, consoleErrors };
}

/**
 * Opens a page in one language, and calls `check` with each color scheme and width.
 * @returns the errors of its console
 */
export async function inAllAppearances(
  browser: Browser,
  url: string,
  language: BrowserSettings['language'],
  check: (page: Page, appearance: string) => Promise<void>,
): Promise<string[]> {
  const { page, consoleErrors } = await openPage(browser, url, { language, scheme: 'light', width: 1280 });
  for (const { scheme, width } of APPEARANCES) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: HEIGHT });
    await check(page, `${scheme}, ${width} px`);
  }
  await page.close();
  return consoleErrors;
}

/** Returns by how many pixels a page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/**
 * Returns the violations that axe-core finds in a page, without its frames: rule and elements.
 * @param rule the only rule that is checked
 */
export async function accessibilityViolations(page: Page, rule?: string): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = { iframes: false, ...(rule !== undefined && { runOnly: [rule] }) };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
