import {
  html,
  type Html,
  htmlDocument,
  type Language,
  LANGUAGES,
  pageHeaders,
  styleSheet,
} from '../../platform/pages/index.js';
import { type GalleryUrls, inLanguage } from './gallery-urls.js';
import { GALLERY_RULES } from './gallery-rules.js';
import type { GalleryParams } from './gallery-params.js';
import { LANGUAGE_NAMES, GALLERY_MESSAGES } from './gallery-messages.js';

const STYLE = styleSheet(GALLERY_RULES);

/** The headers of every page of the gallery. They allow its style and frames of the same origin, and nothing else. */
const headers = (cache: string) =>
  pageHeaders({ style: STYLE, directives: [`frame-src 'self'`, `form-action 'none'`], cache });

export const GALLERY_HEADERS = headers('public, max-age=300');
export const ERROR_HEADERS = headers('no-store');

/** The parameters of a page of the gallery, and the URLs that follow from them. */
export interface PageContext {
  readonly params: GalleryParams;
  readonly urls: GalleryUrls;
}

/** The content of a page of the gallery. */
export interface GalleryPage extends PageContext {
  readonly title: string;
  readonly content: Html;
}

/** Returns a complete page of the gallery. */
export function galleryPage({ params, urls, title, content }: GalleryPage): string {
  const { marketplace, pageLanguage } = GALLERY_MESSAGES[params.language];
  return htmlDocument({
    language: params.language,
    title: title === marketplace ? title : `${title} · ${marketplace}`,
    style: STYLE,
    body: html`<header class="bar">
        <a class="home" href="${urls.index()}">${marketplace}</a>
        <nav aria-label="${pageLanguage}">${LANGUAGES.map((each) => languageLink(each, params))}</nav>
      </header>
      <main>${content}</main>`,
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
