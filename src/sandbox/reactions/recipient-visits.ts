import { Injectable } from '@nestjs/common';
import { imageAddresses, linkAddresses } from '@outreach/template-language';
import { HIDDEN_LINK } from '@outreach/bot-detection';
import { MessageLinks } from '../../sending/index.js';
import type { LinkRequest } from '../../tracking/index.js';

/** What a recipient, or the scanner of its mail server, asks the service for because of a message. */
export interface Visited {
  readonly html: string;
  readonly raw: string;
}

const READER = {
  'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
};
const SCANNER = { 'user-agent': 'Barracuda Sentinel (EE)' };
/** How many links a scanner follows. */
const MAX_SCANNED = 10;

const PIXEL = /^https?:.*\/t\/o\/[\w-]+\.gif$/;
const TRACKED_LINK = /^https?:.*\/t\/c\/[\w.~-]+$/;
const LIST_UNSUBSCRIBE = /^List-Unsubscribe:(?:[^<\r\n]|\r?\n[ \t])*<(https?:[^>\s]+)>/im;

/** Finds the addresses in a message that its recipient requests. They are requested only if the message has them. */
@Injectable()
export class RecipientVisits {
  constructor(private readonly links: MessageLinks) {}

  /** The mail program shows the pictures. */
  opening({ html }: Visited): LinkRequest[] {
    const pixel = imageAddresses(html).find((address) => PIXEL.test(address));
    return pixel === undefined ? [] : [{ method: 'GET', url: pixel, headers: READER }];
  }

  /** The reader follows the first link that is visible. */
  clicking({ html }: Visited): LinkRequest[] {
    const link = linksIn(html).find((url) => {
      const clicked = this.links.clickedLink(tokenOf(url));
      return clicked && clicked.link !== HIDDEN_LINK;
    });
    return link === undefined ? [] : [{ method: 'GET', url: link, headers: READER }];
  }

  /** A mail scanner loads the pictures and follows the links, of which it sees the hidden one too. */
  scanning(message: Visited): LinkRequest[] {
    const urls = [...this.opening(message).map(({ url }) => url), ...linksIn(message.html).slice(0, MAX_SCANNED)];
    return urls.map((url) => ({ method: 'GET', url, headers: SCANNER }));
  }

  /** The mail program offers to unsubscribe with one click (RFC 8058). */
  unsubscribing({ raw }: Visited): LinkRequest[] {
    const [, url] = LIST_UNSUBSCRIBE.exec(raw.slice(0, raw.indexOf('\r\n\r\n'))) ?? [];
    if (url === undefined) return [];
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return [{ method: 'POST', url, headers, body: Buffer.from('List-Unsubscribe=One-Click') }];
  }
}

const linksIn = (html: string): string[] => [
  ...new Set(linkAddresses(html).filter((address) => TRACKED_LINK.test(address))),
];
const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
