import { html, type Html } from '@outreach/html-pages';
import { downloads, previewFrame } from './components.js';
import type { PageContext } from './gallery-page.js';
import { type ListedPack, type ListedTemplate, THUMBNAIL_SIZE } from './records.js';

/** The number of templates in a pack that its card names. */
const MAX_NAMED = 5;

/** Returns the cards of designed templates. */
export const designedCards = (context: PageContext, templates: readonly ListedTemplate[]): Html =>
  html`<ul class="tiles">
    ${templates.map((template) => designedCard(context, template))}
  </ul>`;

/** Returns the cards of templates that look like a letter. */
export const letterCards = (context: PageContext, templates: readonly ListedTemplate[]): Html =>
  html`<ul class="cards">
    ${templates.map((template) => letterCard(context, template))}
  </ul>`;

/** Returns the cards of packs. */
export const packCards = (context: PageContext, packs: readonly ListedPack[]): Html =>
  html`<ul class="cards">
    ${packs.map((pack) => packCard(context, pack))}
  </ul>`;

const designedCard = (context: PageContext, template: ListedTemplate): Html =>
  html`<li class="tile">
    <h3 lang="${template.locale}" dir="auto">
      <a href="${context.urls.template(template.slug)}">${template.name}</a>
    </h3>
    ${foot(context, template, context.messages.categories[template.category])} ${picture(context, template)}
  </li>`;

function picture({ urls, messages }: PageContext, template: ListedTemplate): Html {
  const { thumbnails, name } = template;
  if (!thumbnails) return html`<div class="shot live" inert>${previewFrame({ urls, messages, template })}</div>`;
  return html`<picture class="shot">
    <source srcset="${urls.thumbnail(thumbnails.dark)}" media="(prefers-color-scheme: dark)" />
    <img
      src="${urls.thumbnail(thumbnails.light)}"
      alt="${messages.thumbnail(name)}"
      width="${String(THUMBNAIL_SIZE.width)}"
      height="${String(THUMBNAIL_SIZE.height)}"
      loading="lazy"
      decoding="async"
    />
  </picture>`;
}

const letterCard = (context: PageContext, template: ListedTemplate): Html =>
  html`<li class="card letter" lang="${template.locale}">
    <h3 dir="auto"><a href="${context.urls.template(template.slug)}">${template.name}</a></h3>
    <div class="paper" dir="auto">
      <p class="subject">
        <span class="label" lang="${context.params.language}">${context.messages.subject}</span>
        ${template.shown_subject}
      </p>
      <p class="excerpt">${template.excerpt ?? template.description}</p>
    </div>
    ${foot(context, template, context.messages.categories[template.category])}
  </li>`;

function packCard(context: PageContext, pack: ListedPack): Html {
  const { urls, messages } = context;
  const others = pack.templates.length - MAX_NAMED;
  return html`<li class="card pack" lang="${pack.locale}">
    <h3 dir="auto"><a href="${urls.pack(pack.slug)}">${pack.name}</a></h3>
    <p class="about" dir="auto">${pack.description}</p>
    <ol>
      ${pack.templates
        .slice(0, MAX_NAMED)
        .map(({ slug, name, locale }) => html`<li lang="${locale}"><a href="${urls.template(slug)}">${name}</a></li>`)}
    </ol>
    ${others > 0 ? html`<p class="about" lang="${context.params.language}">${messages.more(others)}</p>` : html``}
    ${foot(context, pack, messages.emails(pack.templates.length))}
  </li>`;
}

type Counted = Pick<ListedPack, 'is_featured' | 'downloads_count'>;

const foot = ({ params, messages }: PageContext, record: Counted, text: string): Html =>
  html`<p class="foot" lang="${params.language}">
    ${record.is_featured ? html`<span class="badge">${messages.featured}</span>` : html``}<span>${text}</span>${downloads(
      messages,
      record,
    )}
  </p>`;
