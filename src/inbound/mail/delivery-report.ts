import { enhancedCodeIn, reportedText } from '../reported-text.js';
import { bounceOf, type DeliveryFailure } from './bounce.js';
import { fieldGroups, type HeaderFields } from './header-fields.js';
import type { Part, ServerReport } from './received-mail.js';

const DELIVERY_STATUS = /^message\/(global-)?delivery-status$/;

/**
 * Reads a delivery status notification (RFC 3464): delivered or bounced.
 * @param text the human-readable part of the notification
 * @returns undefined for other reports, and for a status that is not final, such as a delay
 */
export function deliveryReport(parts: readonly Part[], text: string): ServerReport | undefined {
  const status = parts.find(({ type }) => DELIVERY_STATUS.test(type));
  const recipients = status ? fieldGroups(status.text).filter((group) => group.has('action')) : [];
  const failed = recipients.find((recipient) => actionOf(recipient) === 'failed');
  if (failed) return { kind: 'bounced', bounce: bounceOf(failureOf(failed, text)), address: addressOf(failed) };
  return recipients.some((recipient) => actionOf(recipient) === 'delivered') ? { kind: 'delivered' } : undefined;
}

const failureOf = (recipient: HeaderFields, text: string): DeliveryFailure => ({
  status: enhancedCodeIn(recipient.get('status')),
  diagnostic: recipient.get('diagnostic-code').replace(/^\s*[\w-]+\s*;/, ''),
  text,
});

/** Removes the comment that some servers add: `failed (bad address)`. */
const actionOf = (recipient: HeaderFields): string => recipient.get('action').split(/[\s(]/, 1).join().toLowerCase();

/** `rfc822; bob@example.com` → `bob@example.com`. Prefers the original recipient to an address that it was forwarded to. */
function addressOf(recipient: HeaderFields): string | undefined {
  const recipientAddress = recipient.get('original-recipient') || recipient.get('final-recipient');
  return reportedText(recipientAddress.slice(recipientAddress.indexOf(';') + 1)).replace(/^<|>$/g, '') || undefined;
}
