import { DateTime } from 'luxon';
import type { ParsedMail } from 'mailparser';
import { classify } from './classification/classify.js';
import { returnDate } from './classification/return-date.js';
import type { HeaderFields } from './header-fields.js';
import type { MailContent } from './received-mail.js';
import { replyText } from './reply-text/reply-text.js';

/** Returns what a mail says: the new part of its text, who has written it, and when an absent writer is here again. */
export function contentOf(header: HeaderFields, mail: ParsedMail, receivedAt: Date): MailContent {
  const [sender] = mail.from?.value ?? [];
  const text = replyText(mail);
  const subject = mail.subject ?? '';
  const classification = classify({ header, subject, text, from: sender?.address ?? '' });
  const isAway = classification === 'out_of_office';
  const sentOn = sentOnOf(header.get('date'), receivedAt);
  return { text, classification, returns_on: isAway ? returnDate(`${subject}\n${text}`, sentOn) : null };
}

const MAX_DATE_LENGTH = 100;

/** Returns when a mail was sent, in the zone of its sender. A date that is not of the year before it was received is wrong. */
function sentOnOf(date: string, receivedAt: Date): DateTime {
  const received = DateTime.fromJSDate(receivedAt, { zone: 'utc' });
  const sent = DateTime.fromRFC2822(date.slice(0, MAX_DATE_LENGTH), { setZone: true });
  const isPlausible = sent.isValid && sent < received.plus({ days: 2 }) && sent > received.minus({ years: 1 });
  return isPlausible ? sent : received;
}
