import type { InlineCode } from './inline-code.js';

/** The response headers of a page, by name. */
export type PageHeaders = Readonly<Record<string, string>>;

/** What the headers of one page allow. */
export interface PagePolicy {
  /** The only style sheet that the page may use. */
  readonly style: InlineCode;
  /** More directives of the Content-Security-Policy (CSP Level 3). Without any, the page can only show text. */
  readonly directives: readonly string[];
  /** The value of `Cache-Control` (RFC 9111, 5.2.2). */
  readonly cache: string;
}

/** Returns the headers of a page. It can only load and run what its policy allows, and cannot be framed. */
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
