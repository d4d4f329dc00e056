import { enhancedCodeIn } from '@outreach/refusals';
import { bounceOf, type DeliveryFailure } from './bounce.js';
import { fieldGroups, type HeaderFields } from './header-fields.js';
import type { Part, PossibleReport, ServerReport } from './received-mail.js';
import { reportedText } from './reported-text.js';
import { returnedRecipient } from './returned-message.js';

const DELIVERY_STATUS = /^message\/(global-)?delivery-status$/;

/** What the status of a message says that is not final, such as a delay. */
export type Pending = { readonly kind: 'pending' };

/**
 * Reads a delivery status notification (RFC 3464): delivered, bounced or pending. Some servers write its fields into the
 * text.
 * @returns undefined if the mail has no such fields
 */
export function deliveryReport({ parts, text }: PossibleReport): ServerReport | Pending | undefined {
  const recipients = recipientsIn(parts.find(({ type }) => DELIVERY_STATUS.test(type))?.text ?? text);
  if (recipients.length === 0) return undefined;
  const failed = recipients.find((recipient) => FAILED.includes(actionOf(recipient)));
  if (failed) return { kind: 'bounced', bounce: bounceOf(failureOf(failed, text)), address: addressOf(failed, parts) };
  return { kind: recipients.some((recipient) => actionOf(recipient) === 'delivered') ? 'delivered' : 'pending' };
}

/** RFC 3464 has no `expired`, but some providers write it. */
const FAILED: readonly string[] = ['failed', 'expired'];
const FIELDS_BESIDE_ACTION = ['final-recipient', 'original-recipient', 'status', 'diagnostic-code'];

const recipientsIn = (text: string): HeaderFields[] =>
  fieldGroups(text).filter((group) => group.has('action') && FIELDS_BESIDE_ACTION.some((field) => group.has(field)));

const failureOf = (recipient: HeaderFields, text: string): DeliveryFailure => ({
  status: enhancedCodeIn(recipient.get('status')),
  diagnostic: recipient.get('diagnostic-code').replace(/^\s*[\w-]+\s*;/, '') || commentIn(recipient.get('status')),
  text,
});

/** `5.4.4 (unknown domain)` → `unknown domain` */
const commentIn = (status: string): string => /\(([^()]{1,500})\)/.exec(status)?.[1] ?? '';

/** Removes the comment that some servers add: `failed (bad address)`. */
const actionOf = (recipient: HeaderFields): string => recipient.get('action').split(/[\s(]/, 1).join().toLowerCase();

/**
 * `rfc822; bob@example.com` → `bob@example.com`. Prefers the original recipient and that of the returned message to an
 * address that it was forwarded to.
 */
function addressOf(recipient: HeaderFields, parts: readonly Part[]): string | undefined {
  const original = addressIn(recipient.get('original-recipient')) ?? returnedRecipient(parts);
  return original ?? addressIn(recipient.get('final-recipient'));
}

const addressIn = (field: string): string | undefined =>
  reportedText(field.slice(field.indexOf(';') + 1)).replace(/^<|>$/g, '') || undefined;
