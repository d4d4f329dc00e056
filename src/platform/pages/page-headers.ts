import type { StyleSheet } from './style-sheet.js';

/** What goes out with a page, by the name of the header. */
export type PageHeaders = Readonly<Record<string, string>>;

/** What sets one page apart from others. */
export interface PagePolicy {
  /** The only styles of the page. */
  readonly style: StyleSheet;
  /** The directives of a Content-Security-Policy (CSP Level 3) by which it may do more than show text. */
  readonly directives: readonly string[];
  /** The value of `Cache-Control` (RFC 9111, 5.2.2). */
  readonly cache: string;
}

/** The headers of a page that loads and runs nothing but what its policy names, and is shown inside of no other. */
export const pageHeaders = ({ style, directives, cache }: PagePolicy): PageHeaders => ({
  'Cache-Control': cache,
  'Content-Security-Policy': [
    `default-src 'none'`,
    `style-src ${style.source}`,
    ...directives,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept-Language',
  'X-Content-Type-Options': 'nosniff',
});
