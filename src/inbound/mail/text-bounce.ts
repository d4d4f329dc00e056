import { enhancedCodeIn, reportedAddress } from '../reported-text.js';
import { bounceOf } from './bounce.js';
import { MAX_NOTICE_LENGTH } from './mail-server.js';
import type { ServerReport } from './received-mail.js';

/** Says that a message was not delivered, in the words of qmail, Exim, Yahoo, and of servers in French and German. */
const FAILED =
  /wasn['’]t able to deliver|unable to deliver|could not be delivered|couldn['’]t be delivered|delivery (has )?failed|undeliver(ed|able)|permanent error|n['’]a (pas )?pu être (remis|délivré|distribué|livré)|non remis|konnte nicht zugestellt|unzustellbar/i;
/** Says that it is tried again. */
const DELAYED =
  /not yet been delivered|attempts will continue|will (be retried|retry|keep trying|continue to try)|delivery (is )?delayed|remise (est )?retardée|nouvelles? tentatives?|verzögert/i;
/** What stands before the returned message. */
const COPY = /^[-‐– ]{2,}.{0,20}(below this line is a copy|copy of the message|original message|returned message).*$/im;

/**
 * Reads a notice of a mail server that has no machine-readable part (RFC 3464).
 * @returns undefined if it does not say that a message was not delivered
 */
export function textBounce(text: string, subject: string, recipient: string): ServerReport | undefined {
  const [notice = ''] = text.slice(0, MAX_NOTICE_LENGTH).split(COPY, 1);
  const says = `${subject}\n${notice}`;
  if (!FAILED.test(says) || DELAYED.test(says)) return undefined;
  const diagnostic = diagnosticIn(notice);
  const bounce = bounceOf({ status: enhancedCodeIn(notice), diagnostic, text: notice });
  const address = reportedAddress(recipient) ?? reportedAddress(ADDRESS.exec(notice)?.[1] ?? '');
  return { kind: 'bounced', bounce, address };
}

/** Returns the Message-IDs in the copy of the returned message. */
export const copiedIds = (text: string): string[] =>
  [...text.slice(0, MAX_NOTICE_LENGTH).matchAll(MESSAGE_ID)].map(([, id]) => String(id));

const MESSAGE_ID = /^[ \t]{0,10}message-id:[ \t]{0,10}<([^<>\s@]{1,500}@[^<>\s@]{1,255})>/gim;
const ADDRESS = /^[ \t]{0,10}<?([^<>\s\p{Cc}@:]{1,64}@[^<>\s\p{Cc}@:]{1,255})>?:?[ \t]*$/mu;

/** The reply of a server: a code at the beginning of a line, or after `said:`. */
const REPLY = /(?:^|said:|:)[ \t]{0,20}([45]\d\d[ -][^\n]{1,300})/m;
const REASON = /^[^\n]{0,200}\(?#[45]\.\d{1,3}\.\d{1,3}\)?[^\n]{0,100}$/m;

const diagnosticIn = (notice: string): string => REPLY.exec(notice)?.[1] ?? REASON.exec(notice)?.[0] ?? '';
