import { html, type Html } from '@outreach/html-pages';
import { count } from './components.js';
import { current, type PageContext } from './gallery-page.js';
import { MAX_SEARCH_LENGTH } from './gallery-params.js';
import { CATEGORIES, type GalleryCounts, KINDS } from './records.js';

/** Returns the search form, the kinds with the number of their records, and the categories. */
export const filters = (context: PageContext, counts: GalleryCounts): Html =>
  html`<div class="filters">${searchForm(context)} ${kinds(context, counts)} ${categories(context)}</div>`;

function searchForm({ params, urls, messages }: PageContext): Html {
  const { chosenLanguage: lang, kind, category, search = '' } = params;
  return html`<form class="search" role="search" action="${urls.search}">
    ${Object.entries({ lang, kind, category }).map(([name, value]) =>
      value === undefined ? html`` : html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <label for="search">${messages.search}</label>
    <input
      id="search"
      name="search"
      type="search"
      value="${search}"
      maxlength="${String(MAX_SEARCH_LENGTH)}"
      placeholder="${messages.searchHint}"
      autocomplete="off"
      dir="auto"
    />
    <button>${messages.submit}</button>
  </form>`;
}

function kinds({ params, urls, messages }: PageContext, counts: GalleryCounts): Html {
  const { kind, category, search } = params;
  return html`<nav class="kinds" aria-label="${messages.kind}">
    <ul>
      <li><a href="${urls.index({ category, search })}" ${current(kind === undefined)}>${messages.all}</a></li>
      ${KINDS.map(
        (each) =>
          html`<li>
            <a
              href="${urls.index({ kind: each, category: each === 'pack' ? undefined : category, search })}"
              ${current(kind === each)}
              >${messages.kinds[each]} ${count(counts[each], params.language)}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

function categories({ params, urls, messages }: PageContext): Html {
  const { kind, category, search } = params;
  if (kind === 'pack') return html``;
  return html`<nav class="categories" aria-label="${messages.category}">
    <ul>
      <li>
        <a href="${urls.index({ kind, search })}" ${current(category === undefined)}>${messages.allCategories}</a>
      </li>
      ${CATEGORIES.map(
        (each) =>
          html`<li>
            <a href="${urls.index({ kind, category: each, search })}" ${current(each === category)}
              >${messages.categories[each]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}
