import { html, type Html, type Language } from '@outreach/html-pages';
import { formatted } from './counted.js';
import type { GalleryUrls } from './gallery-urls.js';
import type { GalleryMessages } from './messages.en.js';
import type { NamedTemplate } from './records.js';

/** The number of downloads, with a label for screen readers; nothing if there are none yet. */
export const downloads = (
  messages: GalleryMessages,
  { downloads_count: number }: { readonly downloads_count: number },
): Html =>
  number === 0
    ? html``
    : html`<span class="downloads"
        ><span aria-hidden="true">↓ ${String(number)}</span
        ><span class="visually-hidden">${messages.downloaded(number)}</span></span
      >`;

/** The template in a preview frame. */
export interface PreviewFrame {
  readonly urls: GalleryUrls;
  readonly messages: GalleryMessages;
  readonly template: NamedTemplate;
}

/** A frame with the rendered body of a template. `sandbox` disables scripts and gives it an opaque origin. */
export const previewFrame = ({ urls, messages, template }: PreviewFrame): Html =>
  html`<iframe
    src="${urls.preview(template.slug)}"
    title="${messages.preview(template.name)}"
    sandbox=""
    loading="lazy"
    referrerpolicy="no-referrer"
  ></iframe>`;

/** The link to the start page. */
export const backLink = (urls: GalleryUrls, { allTemplates }: GalleryMessages): Html =>
  html`<p class="back">
    <a href="${urls.index()}"><span aria-hidden="true">← </span>${allTemplates}</a>
  </p>`;

/** The number of records, as part of a heading or a link. */
export const count = (number: number, language: Language): Html =>
  html`<span class="count">${formatted(number, language)}</span>`;
