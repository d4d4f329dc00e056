import {
  html,
  type Html,
  htmlDocument,
  type Language,
  LANGUAGES,
  pageHeaders,
  styleSheet,
} from '../../platform/pages/index.js';
import { type Addresses, inLanguage } from './addresses.js';
import { GALLERY_RULES } from './gallery-rules.js';
import type { Visit } from './visit.js';
import { LANGUAGE_NAMES, WORDS } from './words.js';

const STYLE = styleSheet(GALLERY_RULES);

/** What goes out with every page of the gallery: it shows text and frames of its own, and can do nothing else. */
const headers = (cache: string) =>
  pageHeaders({ style: STYLE, directives: [`frame-src 'self'`, `form-action 'none'`], cache });

export const GALLERY_HEADERS = headers('public, max-age=300');
export const FAILURE_HEADERS = headers('no-store');

/** Where a page of the gallery stands. */
export interface Standing {
  readonly visit: Visit;
  readonly to: Addresses;
}

/** What a page of the gallery is made of. */
export interface GalleryPage extends Standing {
  readonly title: string;
  readonly content: Html;
}

/** A whole page of the gallery, around its content. */
export function galleryPage({ visit, to, title, content }: GalleryPage): string {
  const { marketplace, pageLanguage } = WORDS[visit.language];
  return htmlDocument({
    language: visit.language,
    title: title === marketplace ? title : `${title} · ${marketplace}`,
    style: STYLE,
    body: html`<header class="bar">
        <a class="home" href="${to.index()}">${marketplace}</a>
        <nav aria-label="${pageLanguage}">${LANGUAGES.map((each) => languageLink(each, visit))}</nav>
      </header>
      <main>${content}</main>`,
  });
}

const languageLink = (language: Language, visit: Visit): Html =>
  html`<a
    href="${inLanguage(language, visit)}"
    lang="${language}"
    hreflang="${language}"
    ${current(language === visit.language)}
    >${LANGUAGE_NAMES[language]}</a
  >`;

/** The attribute of the link, among others, that leads to what is shown. */
export const current = (isCurrent: boolean): Html => (isCurrent ? html`aria-current="true"` : html``);
