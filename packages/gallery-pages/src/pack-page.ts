import { html, type Html } from '@outreach/html-pages';
import { backLink, previewFrame } from './components.js';
import { copyButton, copyCommand, copyStatus } from './copying.js';
import { galleryPage, type PageContext } from './gallery-page.js';
import type { PackDetails, ShownTemplate } from './records.js';

/** Returns the page of a pack, with its emails in order. */
export function packPage(context: PageContext, pack: PackDetails): string {
  const { urls, messages } = context;
  const content = html`<div class="intro narrow">
      ${backLink(urls, messages)}
      <h1 lang="${pack.locale}" dir="auto">${pack.name}</h1>
      <p class="lead" lang="${pack.locale}" dir="auto">${pack.description}</p>
      <p class="foot">
        <span>${messages.emails(pack.templates.length)}</span><span>${messages.locales[pack.locale]}</span
        ><span>${messages.downloaded(pack.downloads_count)}</span
        ><span>${messages.id} <code id="record-id">${String(pack.id)}</code></span
        >${copyButton('record-id', messages.copyId)}
      </p>
    </div>
    <section class="use" aria-labelledby="use">
      <h2 id="use">${messages.use}</h2>
      <p>${messages.usePack}</p>
      ${copyCommand(messages, urls.packCopy(pack.id))}
    </section>
    <section aria-labelledby="order">
      <div class="heading">
        <h2 id="order">${messages.inThisOrder}</h2>
        <p>${messages.sampled}</p>
      </div>
      <ol class="steps">
        ${pack.templates.map((template) => step(context, template))}
      </ol>
    </section>
    ${copyStatus(messages)}`;
  return galleryPage(context, { title: pack.name, content, copies: true });
}

const step = ({ params, urls, messages }: PageContext, template: ShownTemplate): Html =>
  html`<li>
    <div class="text" lang="${template.locale}" dir="auto">
      <h3><a href="${urls.template(template.slug)}">${template.name}</a></h3>
      <p>${template.description}</p>
      <p class="subject-line">
        <span class="label" lang="${params.language}">${messages.subject}</span> ${template.shown_subject}
      </p>
    </div>
    <div class="mail">${previewFrame({ urls, messages, template })}</div>
  </li>`;
