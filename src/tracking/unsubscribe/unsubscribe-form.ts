import type { UnreadBody } from '@outreach/http-api/body';
import type { ChangeSource } from '../../contacts/index.js';

/** Who has posted to an unsubscribe link: a person on the page, or a mail program. */
export type UnsubscribeSource = Extract<ChangeSource, 'link' | 'one_click'>;

/** More than what mail programs and the page send. */
const MAX_FORM_BYTES = 8_192;

/** The field of the page's second button. */
const REFUSES_TRACKING = /(^|&|name=")tracking(=|"\s+)refuse\b/;

/** The field of RFC 8058, in both of the formats that it allows. */
const ONE_CLICK = /list-unsubscribe(=|"\s+)one-click/i;

/** What the recipient wants: to unsubscribe, or that opens and clicks are not measured any more. */
export type RecipientRequest =
  { readonly kind: 'unsubscribe'; readonly source: UnsubscribeSource } | { readonly kind: 'refuse tracking' };

/** Reads the body of a request to an unsubscribe link. One that cannot be read unsubscribes: it counts as the page's. */
export async function readUnsubscribeForm(body: UnreadBody): Promise<RecipientRequest> {
  const bytes = await body.readStart('*/*', MAX_FORM_BYTES, MAX_FORM_BYTES).catch(() => Buffer.alloc(0));
  return recipientRequestOf(bytes);
}

/** Returns what the body of a request to an unsubscribe link says. */
export function recipientRequestOf(bytes: Buffer): RecipientRequest {
  const text = bytes.toString('latin1');
  if (REFUSES_TRACKING.test(text)) return { kind: 'refuse tracking' };
  return { kind: 'unsubscribe', source: ONE_CLICK.test(text) ? 'one_click' : 'link' };
}
