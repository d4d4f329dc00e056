import { html, type Html } from '../../platform/pages/index.js';
import type { MarketplaceTemplate } from '../marketplace-template.entity.js';
import { galleryPage, type PageContext } from './gallery-page.js';
import { copyCommand, previewFrame, backLink } from './components.js';
import { subjectOf } from './preview-document.js';
import { type GalleryMessages, GALLERY_MESSAGES } from './gallery-messages.js';

/** Returns the page of a template: the rendered email, its variables and the command to copy it. */
export function templatePage({ params, urls }: PageContext, template: MarketplaceTemplate): string {
  const messages = GALLERY_MESSAGES[params.language];
  const content = html`<div class="intro">
      ${backLink(urls, messages)}
      <h1 lang="${template.locale}">${template.name}</h1>
      <p class="lead" lang="${template.locale}">${template.description}</p>
    </div>
    <div class="beside">
      <section class="mail" aria-label="${messages.preview(template.name)}">
        <p class="subject-line">
          <span class="label">${messages.subject}</span>
          <strong lang="${template.locale}">${subjectOf(template)}</strong>
        </p>
        ${previewFrame({ urls, messages, template })}
        <p class="under">
          <span>${messages.sampled}</span> <a href="${urls.preview(template.slug)}">${messages.previewAlone}</a>
        </p>
      </section>
      <div class="aside">
        <section class="use" aria-labelledby="use">
          <h2 id="use">${messages.copy}</h2>
          <p>${messages.copyTemplate}</p>
          ${copyCommand(urls.templateCopy(template.id))}
        </section>
        <section aria-labelledby="facts">
          <h2 id="facts">${messages.facts}</h2>
          ${facts(messages, template)}
        </section>
      </div>
    </div>`;
  return galleryPage({ params, urls, title: template.name, content });
}

const facts = (messages: GalleryMessages, template: MarketplaceTemplate): Html =>
  html`<dl class="facts">
    <div>
      <dt>${messages.category}</dt>
      <dd>${messages.categories[template.category]}</dd>
    </div>
    <div>
      <dt>${messages.locale}</dt>
      <dd>${messages.locales[template.locale]}</dd>
    </div>
    <div>
      <dt>${messages.downloads}</dt>
      <dd>${String(template.downloads_count)}</dd>
    </div>
    <div>
      <dt>${messages.slug}</dt>
      <dd><code>${template.slug}</code></dd>
    </div>
    <div>
      <dt>${messages.variables}</dt>
      <dd class="variables">${variables(messages, template)}</dd>
    </div>
  </dl>`;

const variables = ({ noVariables }: GalleryMessages, template: MarketplaceTemplate): Html =>
  template.variables.length === 0
    ? html`${noVariables}`
    : html`${template.variables.map((name) => html`<code>${name}</code> `)}`;
