import type { HtmlAdditions } from '@outreach/template-language';
import { HIDDEN_LINK } from '@outreach/bot-detection';
import type { MessageLinks, MessageRef } from '../message-links.js';

/** Which events a campaign tracks. */
export interface TrackingOptions {
  readonly track_opens: boolean;
  readonly track_clicks: boolean;
}

/** Browsers remove these from an address (WHATWG URL, 4.4), and editors break long addresses with them. */
const LINE_BREAKS = /[\t\n\r]/g;

/** Adds the tracking of opens and clicks to the HTML of one message, as far as its campaign tracks them. */
export class Tracking implements HtmlAdditions {
  /** The target of the first tracked link. */
  #target: string | undefined;

  constructor(
    private readonly links: MessageLinks,
    private readonly message: MessageRef,
    private readonly options: TrackingOptions,
  ) {}

  redirect(address: string, number: number): string | undefined {
    if (!this.options.track_clicks) return undefined;
    const url = address.replace(LINE_BREAKS, '').trim();
    if (!this.links.isTrackable(url)) return undefined;
    this.#target ??= url;
    return this.links.clickUrl({ ...this.message, link: number, url });
  }

  ending(): string {
    return this.#hiddenLink() + this.#pixel();
  }

  /** Link scanners follow this link too, so a click on it identifies them. */
  #hiddenLink(): string {
    if (this.#target === undefined) return '';
    const url = this.links.clickUrl({ ...this.message, link: HIDDEN_LINK, url: this.#target });
    return `<a href="${url}" style="display:none" tabindex="-1" aria-hidden="true"></a>`;
  }

  /** Not hidden, because some mail programs do not load hidden images. */
  #pixel(): string {
    if (!this.options.track_opens) return '';
    return `<img src="${this.links.openUrl(this.message)}" width="1" height="1" alt="" style="display:block;border:0">`;
  }
}
