import { html, type Html } from '../../platform/pages/index.js';
import type { MarketplaceTemplate } from '../marketplace-template.entity.js';
import type { PackRecord } from '../published.crossing.js';
import { galleryPage, type Standing } from './gallery-page.js';
import { copyCall, frame, wayBack } from './pieces.js';
import { subjectOf } from './preview.js';
import { WORDS } from './words.js';

/** A pack: its emails one after another. */
export function packPage({ visit, to }: Standing, pack: PackRecord): string {
  const words = WORDS[visit.language];
  const step = (template: MarketplaceTemplate): Html =>
    html`<li>
      <div class="text" lang="${template.locale}">
        <h3><a href="${to.template(template.slug)}">${template.name}</a></h3>
        <p>${template.description}</p>
        <p class="subject-line">
          <span class="label" lang="${visit.language}">${words.subject}</span> ${subjectOf(template)}
        </p>
      </div>
      <div class="mail">${frame({ to, words, template })}</div>
    </li>`;
  const content = html`<div class="intro">
      ${wayBack(to, words)}
      <h1 lang="${pack.locale}">${pack.name}</h1>
      <p class="lead" lang="${pack.locale}">${pack.description}</p>
      <p class="foot">
        <span>${words.emails(pack.templates.length)}</span><span>${words.locales[pack.locale]}</span
        ><span>${words.downloaded(pack.downloads_count)}</span><span><code>${pack.slug}</code></span>
      </p>
    </div>
    <section class="use" aria-labelledby="use">
      <h2 id="use">${words.copy}</h2>
      <p>${words.copyPack}</p>
      ${copyCall(to.packCopy(pack.id))}
    </section>
    <section aria-labelledby="order">
      <div class="heading">
        <h2 id="order">${words.inThisOrder}</h2>
        <p>${words.sampled}</p>
      </div>
      <ol class="steps">
        ${pack.templates.map(step)}
      </ol>
    </section>`;
  return galleryPage({ visit, to, title: pack.name, content });
}
