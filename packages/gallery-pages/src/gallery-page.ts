import { html, type Html, htmlDocument, type Language, LANGUAGES, pageHeaders, styleSheet } from '@outreach/html-pages';
import { COPY_SCRIPT } from './copying.js';
import { GalleryUrls, inLanguage } from './gallery-urls.js';
import { GALLERY_RULES } from './gallery-rules.js';
import type { GalleryMessages } from './messages.en.js';
import type { GalleryParams } from './gallery-params.js';
import { GALLERY_MESSAGES, LANGUAGE_NAMES } from './messages.js';

const STYLE = styleSheet(GALLERY_RULES);

const ENVELOPE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="6" width="28" height="20" rx="4" fill="#1a56c4"/><path d="m5 10 11 8 11-8" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
const ICON = html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ENVELOPE)}" />`;

/**
 * The headers of every page of the gallery. They allow its style, its script, its icon, and pictures, frames and a
 * search form of the same origin, and nothing else.
 */
const headers = (cache: string) =>
  pageHeaders({
    style: STYLE,
    directives: [`script-src ${COPY_SCRIPT.source}`, `img-src 'self' data:`, `frame-src 'self'`, `form-action 'self'`],
    cache,
  });

/** The headers of a page that is found. */
export const GALLERY_HEADERS = headers('public, max-age=300');
/** The headers of an error, which is not stored. */
export const ERROR_HEADERS = headers('no-store');

/** The parameters of a page of the gallery, and the URLs and texts that follow from them. */
export interface PageContext {
  readonly params: GalleryParams;
  readonly urls: GalleryUrls;
  readonly messages: GalleryMessages;
}

/** @param publicUrl the address of the service; it may have a path */
export const pageContext = (publicUrl: string, params: GalleryParams): PageContext => ({
  params,
  urls: new GalleryUrls(publicUrl, params),
  messages: GALLERY_MESSAGES[params.language],
});

/** The content of a page of the gallery. */
export interface GalleryPage {
  readonly title: string;
  readonly content: Html;
  /** Whether the page has buttons that copy. */
  readonly copies?: boolean;
}

/** Returns a complete page of the gallery. */
export function galleryPage({ params, urls, messages }: PageContext, { title, content, copies }: GalleryPage): string {
  const { marketplace, pageLanguage } = messages;
  return htmlDocument({
    language: params.language,
    title: title === marketplace ? title : `${title} · ${marketplace}`,
    style: STYLE,
    head: ICON,
    body: html`<header class="bar">
        <a class="home" href="${urls.index()}">${marketplace}</a>
        <nav aria-label="${pageLanguage}">${LANGUAGES.map((each) => languageLink(each, params))}</nav>
      </header>
      <main>${content}</main>
      ${copies ? COPY_SCRIPT.element : html``}`,
  });
}

const languageLink = (language: Language, params: GalleryParams): Html =>
  html`<a
    href="${inLanguage(language, params)}"
    lang="${language}"
    hreflang="${language}"
    ${current(language === params.language)}
    >${LANGUAGE_NAMES[language]}</a
  >`;

/** The attribute that marks the link to the current page or filter. */
export const current = (isCurrent: boolean): Html => (isCurrent ? html`aria-current="true"` : html``);
