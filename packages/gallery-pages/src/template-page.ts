import { html, type Html } from '@outreach/html-pages';
import { backLink, previewFrame } from './components.js';
import { brandCommand, copyButton, copyCommand, copyStatus } from './copying.js';
import { galleryPage, type PageContext } from './gallery-page.js';
import type { TemplateDetails } from './records.js';

/** Returns the page of a template: the rendered email, its source and how to copy it. */
export function templatePage(context: PageContext, template: TemplateDetails): string {
  const { urls, messages } = context;
  const content = html`<div class="intro narrow">
      ${backLink(urls, messages)}
      <h1 lang="${template.locale}" dir="auto">${template.name}</h1>
      <p class="lead" lang="${template.locale}" dir="auto">${template.description}</p>
    </div>
    <div class="beside">
      ${mail(context, template)}
      <div class="aside">
        <section class="use" aria-labelledby="use">
          <h2 id="use">${messages.use}</h2>
          <p>${messages.useTemplate}</p>
          ${copyCommand(messages, urls.templateCopy(template.id))}
        </section>
        ${sources(context, template)} ${brand(context, template)}
        <section aria-labelledby="facts">
          <h2 id="facts">${messages.facts}</h2>
          ${facts(context, template)}
        </section>
      </div>
    </div>
    ${copyStatus(messages)}`;
  return galleryPage(context, { title: template.name, content, copies: true });
}

const mail = ({ urls, messages }: PageContext, template: TemplateDetails): Html =>
  html`<section class="mail" aria-label="${messages.preview(template.name)}">
    <p class="subject-line">
      <span class="label">${messages.subject}</span>
      <strong lang="${template.locale}" dir="auto">${template.shown_subject}</strong>
    </p>
    <fieldset class="widths">
      <legend class="visually-hidden">${messages.width}</legend>
      <input type="radio" name="width" id="desktop" checked /><label for="desktop">${messages.desktop}</label>
      <input type="radio" name="width" id="phone" /><label for="phone">${messages.phone}</label>
    </fieldset>
    <div class="screen">${previewFrame({ urls, messages, template })}</div>
    <p class="under">
      <span>${messages.sampled}</span> <a href="${urls.preview(template.slug)}">${messages.previewAlone}</a>
    </p>
  </section>`;

/** How a template that shows the brand of its workspace gets it. */
const brand = ({ urls, messages }: PageContext, { has_brand: hasBrand }: TemplateDetails): Html =>
  hasBrand
    ? html`<section class="use" aria-labelledby="brand">
        <h2 id="brand">${messages.brand}</h2>
        <p>${messages.brandLead}</p>
        ${brandCommand(messages, urls.settings)}
      </section>`
    : html``;

const sources = ({ messages }: PageContext, { subject, body, text }: TemplateDetails): Html =>
  html`<section class="use" aria-labelledby="source">
    <h2 id="source">${messages.source}</h2>
    <p>${messages.sourceLead}</p>
    ${source({ id: 'source-subject', title: messages.subject, button: messages.copySubject, content: subject })}
    ${source({ id: 'source-html', title: messages.html, button: messages.copyHtml, content: body })}
    ${
      text === undefined
        ? html``
        : source({ id: 'source-text', title: messages.text, button: messages.copyText, content: text })
    }
  </section>`;

/** A text that can be opened, selected and copied. */
interface Source {
  readonly id: string;
  readonly title: string;
  readonly button: string;
  readonly content: string;
}

const source = ({ id, title, button, content }: Source): Html =>
  html`<div class="source">
    <details>
      <summary>${title}</summary>
      <pre tabindex="0"><code id="${id}" dir="auto">${content}</code></pre>
    </details>
    ${copyButton(id, button)}
  </div>`;

const facts = ({ messages }: PageContext, template: TemplateDetails): Html =>
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
      <dt>${messages.id}</dt>
      <dd><code id="record-id">${String(template.id)}</code> ${copyButton('record-id', messages.copyId)}</dd>
    </div>
    <div>
      <dt>${messages.slug}</dt>
      <dd><code>${template.slug}</code></dd>
    </div>
    <div>
      <dt>${messages.variables}</dt>
      <dd class="variables">
        ${
          template.variables.length === 0
            ? html`${messages.noVariables}`
            : template.variables.map((name) => html`<code>${name}</code> `)
        }
      </dd>
    </div>
  </dl>`;
