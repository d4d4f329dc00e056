import type { HtmlAdditions } from '../../templates/index.js';
import { HIDDEN_LINK, type MessageLinks, type MessageRef } from '../message-links.js';

/** What a campaign wants to know of its messages. */
export interface TrackingOptions {
  readonly track_opens: boolean;
  readonly track_clicks: boolean;
}

/** Browsers drop these from an address (WHATWG URL, 4.4), and editors break long ones by them. */
const LINE_BREAKS = /[\t\n\r]/g;

/** Makes one message tell when it is opened and which of its links are followed, as far as its campaign wants that. */
export class Tracking implements HtmlAdditions {
  /** Where the first link leads that is tracked. */
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
    return this.#hiddenLink() + this.#picture();
  }

  /** Scanners that follow all links follow this one too, and tell by it that they are none of our readers. */
  #hiddenLink(): string {
    if (this.#target === undefined) return '';
    const url = this.links.clickUrl({ ...this.message, link: HIDDEN_LINK, url: this.#target });
    return `<a href="${url}" style="display:none" tabindex="-1" aria-hidden="true"></a>`;
  }

  /** Not hidden: some mail programs load no picture that is. */
  #picture(): string {
    if (!this.options.track_opens) return '';
    return `<img src="${this.links.openUrl(this.message)}" width="1" height="1" alt="" style="display:block;border:0">`;
  }
}
