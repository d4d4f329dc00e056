import { html, type Html } from '../../platform/pages/index.js';
import type { MarketplaceTemplate } from '../marketplace-template.entity.js';
import type { PackRecord } from '../published-records.cross-tenant.js';
import { galleryPage, type PageContext } from './gallery-page.js';
import { copyCommand, previewFrame, backLink } from './components.js';
import { subjectOf } from './preview-document.js';
import { GALLERY_MESSAGES } from './gallery-messages.js';

/** Returns the page of a pack, with its emails in order. */
export function packPage({ params, urls }: PageContext, pack: PackRecord): string {
  const messages = GALLERY_MESSAGES[params.language];
  const step = (template: MarketplaceTemplate): Html =>
    html`<li>
      <div class="text" lang="${template.locale}">
        <h3><a href="${urls.template(template.slug)}">${template.name}</a></h3>
        <p>${template.description}</p>
        <p class="subject-line">
          <span class="label" lang="${params.language}">${messages.subject}</span> ${subjectOf(template)}
        </p>
      </div>
      <div class="mail">${previewFrame({ urls, messages, template })}</div>
    </li>`;
  const content = html`<div class="intro">
      ${backLink(urls, messages)}
      <h1 lang="${pack.locale}">${pack.name}</h1>
      <p class="lead" lang="${pack.locale}">${pack.description}</p>
      <p class="foot">
        <span>${messages.emails(pack.templates.length)}</span><span>${messages.locales[pack.locale]}</span
        ><span>${messages.downloaded(pack.downloads_count)}</span><span><code>${pack.slug}</code></span>
      </p>
    </div>
    <section class="use" aria-labelledby="use">
      <h2 id="use">${messages.copy}</h2>
      <p>${messages.copyPack}</p>
      ${copyCommand(urls.packCopy(pack.id))}
    </section>
    <section aria-labelledby="order">
      <div class="heading">
        <h2 id="order">${messages.inThisOrder}</h2>
        <p>${messages.sampled}</p>
      </div>
      <ol class="steps">
        ${pack.templates.map(step)}
      </ol>
    </section>`;
  return galleryPage({ params, urls, title: pack.name, content });
}
