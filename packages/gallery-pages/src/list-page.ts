import { html, type Html, type Language } from '@outreach/html-pages';
import { designedCards, letterCards, packCards } from './cards.js';
import { count } from './components.js';
import { filters } from './filters.js';
import { galleryPage, type PageContext } from './gallery-page.js';
import type { GalleryParams } from './gallery-params.js';
import { listInLanguage } from './gallery-urls.js';
import type { GalleryCounts, Kind, ListedPack, ListedTemplate } from './records.js';

/** The number of records on a page of a list. */
export const PAGE_SIZE = 20;

/** A list and one of its pages. */
export interface GalleryListPage {
  readonly counts: GalleryCounts;
  readonly templates: readonly ListedTemplate[];
  readonly packs: readonly ListedPack[];
  /** The number of results in the other language, if there are none in this one. */
  readonly elsewhere: number;
}

/** The number of records of a list, without those of other kinds. */
export const countResults = ({ kind }: Pick<GalleryParams, 'kind'>, counts: GalleryCounts): number =>
  kind === undefined ? counts.designed + counts.plain + counts.pack : counts[kind];

/** Returns the page of a search, a category or a kind. */
export function listPage(context: PageContext, list: GalleryListPage): string {
  const { params, messages } = context;
  const title = titleOf(context);
  const total = countResults(params, list.counts);
  const content = html`<div class="intro narrow">
      <h1>${title}</h1>
      <p class="lead" role="status">${messages.results(total, params.search)}</p>
    </div>
    ${filters(context, list.counts)} ${total === 0 ? empty(context, list.elsewhere) : results(context, list)}
    ${pagination(context, total)}`;
  return galleryPage(context, { title, content });
}

function titleOf({ params, messages }: PageContext): string {
  const { kind, category, search } = params;
  const names = [category && messages.categories[category], kind && messages.kinds[kind]].filter(Boolean);
  return names.length > 0 ? names.join(' · ') : search === undefined ? messages.marketplace : messages.search;
}

function results(context: PageContext, { counts, templates, packs }: GalleryListPage): Html {
  const part = (kind: Kind, shown: number, cards: Html): Html =>
    shown === 0
      ? html``
      : html`<section aria-labelledby="${kind}">
          <div class="heading">
            <h2 id="${kind}">${context.messages.kinds[kind]} ${count(counts[kind], context.params.language)}</h2>
          </div>
          ${cards}
        </section>`;
  const designed = templates.filter((template) => template.is_designed);
  const plain = templates.filter((template) => !template.is_designed);
  return html`${part('designed', designed.length, designedCards(context, designed))}
  ${part('plain', plain.length, letterCards(context, plain))} ${part('pack', packs.length, packCards(context, packs))}`;
}

function empty({ params, urls, messages }: PageContext, elsewhere: number): Html {
  const other: Language = params.language === 'en' ? 'fr' : 'en';
  const link =
    elsewhere === 0
      ? html``
      : html`<a href="${listInLanguage(other, params)}" hreflang="${other}">${messages.inOtherLanguage(elsewhere)}</a>`;
  return html`<div class="empty">
    <h2>${messages.nothingFound}</h2>
    <p>${messages.nothingHint}</p>
    <p class="links">${link} <a href="${urls.index()}">${messages.withoutFilters}</a></p>
  </div>`;
}

function pagination({ params, urls, messages }: PageContext, total: number): Html {
  const last = Math.ceil(total / PAGE_SIZE);
  if (last <= 1) return html``;
  const link = (page: number, text: string, rel: string): Html =>
    page < 1 || page > last
      ? html`<span></span>`
      : html`<a href="${urls.index({ ...params, page })}" rel="${rel}">${text}</a>`;
  return html`<nav class="pages" aria-label="${messages.pages}">
    ${link(params.page - 1, messages.previous, 'prev')} <span>${messages.page(params.page, last)}</span>
    ${link(params.page + 1, messages.next, 'next')}
  </nav>`;
}
