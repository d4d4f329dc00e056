import { html, type Html } from '../../platform/pages/index.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../../templates/index.js';
import { LOCALES } from '../marketplace-record.js';
import { current, galleryPage, type PageContext } from './gallery-page.js';
import { count, downloads, previewFrame } from './components.js';
import { subjectOf } from './preview-document.js';
import type { GalleryPack, GalleryTemplate } from './gallery-queries.cross-tenant.js';
import type { GalleryFilter } from './gallery-params.js';
import { type GalleryMessages, GALLERY_MESSAGES } from './gallery-messages.js';

/** The number of templates of a category with a preview. Each preview is another document to load. */
const MAX_PREVIEWS = 2;

/** The page context and the messages in the language of the page. */
interface IndexContext extends PageContext {
  readonly messages: GalleryMessages;
}

/** The records on the page. */
export interface IndexRecords {
  readonly packs: readonly GalleryPack[];
  readonly templates: readonly GalleryTemplate[];
}

/** Returns the start page: all packs, then all templates by category. */
export function indexPage({ params, urls }: PageContext, { packs, templates }: IndexRecords): string {
  const messages = GALLERY_MESSAGES[params.language];
  const context = { params, urls, messages };
  const content = html`<div class="intro">
      <h1>${messages.headline}</h1>
      <p class="lead">${messages.lead}</p>
    </div>
    ${filters(context)} ${packs.length > 0 ? packSection(context, packs) : html``}
    ${templateSection(context, templates)}`;
  return galleryPage({ params, urls, title: messages.marketplace, content });
}

function filters({ params, urls, messages }: IndexContext): Html {
  const { category, locale } = params;
  const link = (text: string, filter: GalleryFilter): Html => {
    const isShown = filter.category === category && filter.locale === locale;
    return html`<li><a href="${urls.index(filter)}" ${current(isShown)}>${text}</a></li>`;
  };
  return html`<div class="filters">
    <nav aria-labelledby="by-category">
      <h2 id="by-category">${messages.category}</h2>
      <ul>
        ${link(messages.all, { locale })}
        ${TEMPLATE_CATEGORIES.map((each) => link(messages.categories[each], { category: each, locale }))}
      </ul>
    </nav>
    <nav aria-labelledby="by-locale">
      <h2 id="by-locale">${messages.locale}</h2>
      <ul>
        ${link(messages.all, { category })}
        ${LOCALES.map((each) => link(messages.locales[each], { category, locale: each }))}
      </ul>
    </nav>
  </div>`;
}

const packSection = (context: IndexContext, packs: readonly GalleryPack[]): Html =>
  html`<section aria-labelledby="packs">
    <div class="heading">
      <h2 id="packs">${context.messages.packs} ${count(packs)}</h2>
      <p>${context.messages.packsLead}</p>
    </div>
    <ul class="cards packs">
      ${packs.map((pack) => packCard(context, pack))}
    </ul>
  </section>`;

const packCard = ({ urls, messages }: IndexContext, pack: GalleryPack): Html =>
  html`<li class="card">
    <h3 lang="${pack.locale}"><a href="${urls.pack(pack.slug)}">${pack.name}</a></h3>
    <p lang="${pack.locale}">${pack.description}</p>
    <ol lang="${pack.locale}">
      ${pack.templates.map(({ slug, name }) => html`<li><a href="${urls.template(slug)}">${name}</a></li>`)}
    </ol>
    <p class="foot">
      ${badge(messages, pack)}<span>${messages.emails(pack.templates.length)}</span
      ><span>${messages.locales[pack.locale]}</span>${downloads(messages, pack)}
    </p>
  </li>`;

function templateSection(context: IndexContext, templates: readonly GalleryTemplate[]): Html {
  const { messages } = context;
  const groups = TEMPLATE_CATEGORIES.map((category) => ({
    category,
    members: templates.filter((template) => template.category === category),
  }));
  return html`<section aria-labelledby="templates">
    <div class="heading">
      <h2 id="templates">${messages.templates} ${count(templates)}</h2>
      <p>${templates.length > 0 ? messages.templatesLead : messages.nothing}</p>
    </div>
    ${groups.filter(({ members }) => members.length > 0).map((group) => categorySection(context, group))}
  </section>`;
}

function categorySection(
  context: IndexContext,
  { category, members }: { category: TemplateCategory; members: GalleryTemplate[] },
) {
  const previewed = members.filter((template) => template.is_featured).slice(0, MAX_PREVIEWS);
  return html`<section class="category" aria-labelledby="category-${category}">
    <h3 id="category-${category}">${context.messages.categories[category]} ${count(members)}</h3>
    <ul class="cards">
      ${members.map((template) => templateCard(context, template, previewed.includes(template)))}
    </ul>
  </section>`;
}

const templateCard = ({ urls, messages }: IndexContext, template: GalleryTemplate, isPreviewed: boolean): Html =>
  html`<li class="card ${isPreviewed ? 'wide' : ''}">
    <div class="text">
      <h4 lang="${template.locale}"><a href="${urls.template(template.slug)}">${template.name}</a></h4>
      <p lang="${template.locale}">${template.description}</p>
      <dl class="subject">
        <dt>${messages.subject}</dt>
        <dd lang="${template.locale}">${subjectOf(template)}</dd>
      </dl>
      <p class="foot">
        ${badge(messages, template)}<span>${messages.categories[template.category]}</span
        ><span>${messages.locales[template.locale]}</span>${downloads(messages, template)}
      </p>
    </div>
    ${isPreviewed ? html`<div class="thumbnail" inert>${previewFrame({ urls, messages, template })}</div>` : html``}
  </li>`;

const badge = (
  { featured }: GalleryMessages,
  { is_featured: isFeatured }: Pick<GalleryTemplate, 'is_featured'>,
): Html => (isFeatured ? html`<span class="badge">${featured}</span>` : html``);
