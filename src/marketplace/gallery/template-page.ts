import { html, type Html } from '../../platform/pages/index.js';
import type { MarketplaceTemplate } from '../marketplace-template.entity.js';
import { galleryPage, type Standing } from './gallery-page.js';
import { copyCall, frame, wayBack } from './pieces.js';
import { subjectOf } from './preview.js';
import { type Words, WORDS } from './words.js';

/** A template: the email as a recipient would see it, and what one needs to know to use it. */
export function templatePage({ visit, to }: Standing, template: MarketplaceTemplate): string {
  const words = WORDS[visit.language];
  const content = html`<div class="intro">
      ${wayBack(to, words)}
      <h1 lang="${template.locale}">${template.name}</h1>
      <p class="lead" lang="${template.locale}">${template.description}</p>
    </div>
    <div class="beside">
      <section class="mail" aria-label="${words.preview(template.name)}">
        <p class="subject-line">
          <span class="label">${words.subject}</span> <strong lang="${template.locale}">${subjectOf(template)}</strong>
        </p>
        ${frame({ to, words, template })}
        <p class="under">
          <span>${words.sampled}</span> <a href="${to.preview(template.slug)}">${words.previewAlone}</a>
        </p>
      </section>
      <div class="aside">
        <section class="use" aria-labelledby="use">
          <h2 id="use">${words.copy}</h2>
          <p>${words.copyTemplate}</p>
          ${copyCall(to.templateCopy(template.id))}
        </section>
        <section aria-labelledby="facts">
          <h2 id="facts">${words.facts}</h2>
          ${facts(words, template)}
        </section>
      </div>
    </div>`;
  return galleryPage({ visit, to, title: template.name, content });
}

const facts = (words: Words, template: MarketplaceTemplate): Html =>
  html`<dl class="facts">
    <div>
      <dt>${words.category}</dt>
      <dd>${words.categories[template.category]}</dd>
    </div>
    <div>
      <dt>${words.locale}</dt>
      <dd>${words.locales[template.locale]}</dd>
    </div>
    <div>
      <dt>${words.downloads}</dt>
      <dd>${String(template.downloads_count)}</dd>
    </div>
    <div>
      <dt>${words.slug}</dt>
      <dd><code>${template.slug}</code></dd>
    </div>
    <div>
      <dt>${words.variables}</dt>
      <dd class="variables">${variables(words, template)}</dd>
    </div>
  </dl>`;

const variables = ({ noVariables }: Words, template: MarketplaceTemplate): Html =>
  template.variables.length === 0
    ? html`${noVariables}`
    : html`${template.variables.map((name) => html`<code>${name}</code> `)}`;
