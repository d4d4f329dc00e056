import { html, type Html } from '../../platform/pages/index.js';
import type { MarketplaceTemplate } from '../marketplace-template.entity.js';
import type { Addresses } from './addresses.js';
import type { Words } from './words.js';

/** How often something was copied: the number, and for screen readers what it counts. */
export const downloads = (words: Words, { downloads_count: count }: { readonly downloads_count: number }): Html =>
  html`<span class="downloads"
    ><span aria-hidden="true">↓ ${String(count)}</span><span class="unseen">${words.downloaded(count)}</span></span
  >`;

/** What a preview is framed with. */
export interface Framed {
  readonly to: Addresses;
  readonly words: Words;
  readonly template: Pick<MarketplaceTemplate, 'slug' | 'name'>;
}

/** The rendered body of a template. Nothing runs in the frame, and it is of no origin. */
export const frame = ({ to, words, template }: Framed): Html =>
  html`<iframe
    src="${to.preview(template.slug)}"
    title="${words.preview(template.name)}"
    sandbox=""
    loading="lazy"
    referrerpolicy="no-referrer"
  ></iframe>`;

/** The call that copies a record into a workspace. */
export const copyCall = (address: string): Html =>
  html`<pre><code>curl -X POST ${address} \\
  -H "Authorization: Bearer $OUTREACH_TOKEN"</code></pre>`;

/** The link to everything else. */
export const wayBack = (to: Addresses, { allTemplates }: Words): Html =>
  html`<p class="back">
    <a href="${to.index()}"><span aria-hidden="true">← </span>${allTemplates}</a>
  </p>`;

/** The number of things below a heading, inside of it. */
export const count = (things: readonly unknown[]): Html => html`<span class="count">${String(things.length)}</span>`;
