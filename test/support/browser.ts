import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The settings of a browser that opens a page. */
export interface BrowserSettings {
  readonly language: 'en' | 'fr';
  readonly scheme: 'light' | 'dark';
  readonly width: number;
}

/** All combinations of settings. */
export const ALL_BROWSER_SETTINGS: readonly BrowserSettings[] = (['en', 'fr'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) => [1280, 360].map((width) => ({ language, scheme, width }))),
);

/** A page and the errors of its console, including violations of the Content-Security-Policy. */
export interface OpenedPage {
  readonly page: Page;
  readonly consoleErrors: string[];
}

/**
 * Starts Debian's Chromium. As root it starts only without its process sandbox, which does not affect `sandbox` of
 * frames.
 */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

export async function openPage(browser: Browser, url: string, settings: BrowserSettings): Promise<OpenedPage> {
  const options: BrowserContextOptions = {
    colorScheme: settings.scheme,
    locale: settings.language,
    viewport: { width: settings.width, height: 900 },
  };
  const page = await browser.newPage(options);
  const consoleErrors: string[] = [];
  page.on('pageerror', (error) => consoleErrors.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) consoleErrors.push(message.text());
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  return { page, consoleErrors };
}

/** Returns by how many pixels a page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Returns the violations that axe-core finds in a page, without its frames: rule and elements. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run(document, { iframes: false })');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
