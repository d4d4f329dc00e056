import { html, type Html } from '@outreach/html-pages';
import { designedCards, letterCards, packCards } from './cards.js';
import { count } from './components.js';
import { filters } from './filters.js';
import { galleryPage, type PageContext } from './gallery-page.js';
import type { GalleryCounts, Kind, ListedPack, ListedTemplate } from './records.js';

/** The records on the start page. */
export interface Overview {
  readonly counts: GalleryCounts;
  readonly designed: readonly ListedTemplate[];
  readonly plain: readonly ListedTemplate[];
  readonly packs: readonly ListedPack[];
}

/** Returns the start page: the best designed templates, letters and packs. */
export function indexPage(context: PageContext, { counts, designed, plain, packs }: Overview): string {
  const { messages } = context;
  const isEmpty = designed.length + plain.length + packs.length === 0;
  const content = html`<div class="intro">
      <h1>${messages.headline}</h1>
      <p class="lead">${messages.lead}</p>
    </div>
    ${filters(context, counts)} ${section(context, 'designed', counts, designedCards(context, designed))}
    ${section(context, 'plain', counts, letterCards(context, plain))}
    ${section(context, 'pack', counts, packCards(context, packs))}
    ${isEmpty ? html`<p class="empty">${messages.nothing}</p>` : html``}`;
  return galleryPage(context, { title: messages.marketplace, content });
}

function section({ params, urls, messages }: PageContext, kind: Kind, counts: GalleryCounts, cards: Html): Html {
  if (counts[kind] === 0) return html``;
  return html`<section aria-labelledby="${kind}">
    <div class="heading">
      <h2 id="${kind}">${messages.kinds[kind]} ${count(counts[kind], params.language)}</h2>
      <p>${messages.kindLeads[kind]}</p>
      <a href="${urls.index({ kind })}">${messages.showAll[kind](counts[kind])}<span aria-hidden="true"> →</span></a>
    </div>
    ${cards}
  </section>`;
}
