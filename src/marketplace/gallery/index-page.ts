import { html, type Html } from '../../platform/pages/index.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../../templates/index.js';
import { LOCALES } from '../marketplace-record.js';
import { current, galleryPage, type Standing } from './gallery-page.js';
import { count, downloads, frame } from './pieces.js';
import { subjectOf } from './preview.js';
import type { ShelvedPack, ShelvedTemplate } from './shelves.crossing.js';
import type { Filter } from './visit.js';
import { type Words, WORDS } from './words.js';

/** How many templates of a category are shown with their preview: each is a document of its own to load. */
const MOST_PREVIEWS = 2;

/** What one page is written with. */
interface Page extends Standing {
  readonly words: Words;
}

/** What stands on the shelves. */
export interface Shown {
  readonly packs: readonly ShelvedPack[];
  readonly templates: readonly ShelvedTemplate[];
}

/** All packs, then all templates by category. */
export function indexPage({ visit, to }: Standing, { packs, templates }: Shown): string {
  const words = WORDS[visit.language];
  const page = { visit, to, words };
  const content = html`<div class="intro">
      <h1>${words.headline}</h1>
      <p class="lead">${words.lead}</p>
    </div>
    ${filters(page)} ${packs.length > 0 ? packShelf(page, packs) : html``} ${templateShelf(page, templates)}`;
  return galleryPage({ visit, to, title: words.marketplace, content });
}

function filters({ visit, to, words }: Page): Html {
  const { category, locale } = visit;
  const link = (text: string, filter: Filter): Html => {
    const isShown = filter.category === category && filter.locale === locale;
    return html`<li><a href="${to.index(filter)}" ${current(isShown)}>${text}</a></li>`;
  };
  return html`<div class="filters">
    <nav aria-labelledby="by-category">
      <h2 id="by-category">${words.category}</h2>
      <ul>
        ${link(words.all, { locale })}
        ${TEMPLATE_CATEGORIES.map((each) => link(words.categories[each], { category: each, locale }))}
      </ul>
    </nav>
    <nav aria-labelledby="by-locale">
      <h2 id="by-locale">${words.locale}</h2>
      <ul>
        ${link(words.all, { category })} ${LOCALES.map((each) => link(words.locales[each], { category, locale: each }))}
      </ul>
    </nav>
  </div>`;
}

const packShelf = (page: Page, packs: readonly ShelvedPack[]): Html =>
  html`<section aria-labelledby="packs">
    <div class="heading">
      <h2 id="packs">${page.words.packs} ${count(packs)}</h2>
      <p>${page.words.packsLead}</p>
    </div>
    <ul class="cards packs">
      ${packs.map((pack) => packCard(page, pack))}
    </ul>
  </section>`;

const packCard = ({ to, words }: Page, pack: ShelvedPack): Html =>
  html`<li class="card">
    <h3 lang="${pack.locale}"><a href="${to.pack(pack.slug)}">${pack.name}</a></h3>
    <p lang="${pack.locale}">${pack.description}</p>
    <ol lang="${pack.locale}">
      ${pack.templates.map(({ slug, name }) => html`<li><a href="${to.template(slug)}">${name}</a></li>`)}
    </ol>
    <p class="foot">
      ${badge(words, pack)}<span>${words.emails(pack.templates.length)}</span
      ><span>${words.locales[pack.locale]}</span>${downloads(words, pack)}
    </p>
  </li>`;

function templateShelf(page: Page, templates: readonly ShelvedTemplate[]): Html {
  const { words } = page;
  const groups = TEMPLATE_CATEGORIES.map((category) => ({
    category,
    members: templates.filter((template) => template.category === category),
  }));
  return html`<section aria-labelledby="templates">
    <div class="heading">
      <h2 id="templates">${words.templates} ${count(templates)}</h2>
      <p>${templates.length > 0 ? words.templatesLead : words.nothing}</p>
    </div>
    ${groups.filter(({ members }) => members.length > 0).map((group) => categoryShelf(page, group))}
  </section>`;
}

function categoryShelf(page: Page, { category, members }: { category: TemplateCategory; members: ShelvedTemplate[] }) {
  const previewed = members.filter((template) => template.is_featured).slice(0, MOST_PREVIEWS);
  return html`<section class="category" aria-labelledby="category-${category}">
    <h3 id="category-${category}">${page.words.categories[category]} ${count(members)}</h3>
    <ul class="cards">
      ${members.map((template) => templateCard(page, template, previewed.includes(template)))}
    </ul>
  </section>`;
}

const templateCard = ({ to, words }: Page, template: ShelvedTemplate, isPreviewed: boolean): Html =>
  html`<li class="card ${isPreviewed ? 'wide' : ''}">
    <div class="text">
      <h4 lang="${template.locale}"><a href="${to.template(template.slug)}">${template.name}</a></h4>
      <p lang="${template.locale}">${template.description}</p>
      <dl class="subject">
        <dt>${words.subject}</dt>
        <dd lang="${template.locale}">${subjectOf(template)}</dd>
      </dl>
      <p class="foot">
        ${badge(words, template)}<span>${words.categories[template.category]}</span
        ><span>${words.locales[template.locale]}</span>${downloads(words, template)}
      </p>
    </div>
    ${isPreviewed ? html`<div class="thumbnail" inert>${frame({ to, words, template })}</div>` : html``}
  </li>`;

const badge = ({ featured }: Words, { is_featured: isFeatured }: Pick<ShelvedTemplate, 'is_featured'>): Html =>
  isFeatured ? html`<span class="badge">${featured}</span>` : html``;
