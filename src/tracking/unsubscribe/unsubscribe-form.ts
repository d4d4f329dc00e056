import type { ChangeSource } from '../../contacts/index.js';
import type { UnreadBody } from '../../platform/http/index.js';

/** Who has posted to an unsubscribe link: a person on the page, or a mail program. */
export type UnsubscribeSource = Extract<ChangeSource, 'link' | 'one_click'>;

/** More than what mail programs and the page send. */
const MAX_FORM_BYTES = 8_192;

/** The field of RFC 8058, in both of the formats that it allows. */
const ONE_CLICK = /list-unsubscribe(=|"\s+)one-click/i;

/** Reads the body of a request to an unsubscribe link. One that cannot be read unsubscribes, too: it counts as the page's. */
export async function readUnsubscribeForm(body: UnreadBody): Promise<UnsubscribeSource> {
  const text = await body.readStart('*/*', MAX_FORM_BYTES, MAX_FORM_BYTES).catch(() => Buffer.alloc(0));
  return ONE_CLICK.test(text.toString('latin1')) ? 'one_click' : 'link';
}
