import { type Bounce, isDeadAddress, type MessageReport } from '../../sending/index.js';
import { enhancedCodeIn, replyCodeOf, reportedText } from '../reported-text.js';
import { fieldGroups, type HeaderFields } from './header-fields.js';
import type { Part } from './received-mail.js';

const DELIVERY_STATUS = /^message\/(global-)?delivery-status$/;

/**
 * Reads a delivery status notification (RFC 3464): delivered or bounced.
 * @param text the human-readable part of the notification
 * @returns undefined for other reports, and for a status that is not final, such as a delay
 */
export function deliveryReport(parts: readonly Part[], text: string): MessageReport | undefined {
  const status = parts.find(({ type }) => DELIVERY_STATUS.test(type));
  const recipients = status ? fieldGroups(status.text).filter((group) => group.has('action')) : [];
  const failed = recipients.find((recipient) => actionOf(recipient) === 'failed');
  if (failed) return { kind: 'bounced', bounce: bounceOf(failed, text), address: addressOf(failed) };
  return recipients.some((recipient) => actionOf(recipient) === 'delivered') ? { kind: 'delivered' } : undefined;
}

/** Removes the comment that some servers add: `failed (bad address)`. */
const actionOf = (recipient: HeaderFields): string => recipient.get('action').split(/[\s(]/, 1).join().toLowerCase();

/** `rfc822; bob@example.com` → `bob@example.com`. Prefers the original recipient to an address that it was forwarded to. */
function addressOf(recipient: HeaderFields): string | undefined {
  const recipientAddress = recipient.get('original-recipient') || recipient.get('final-recipient');
  return reportedText(recipientAddress.slice(recipientAddress.indexOf(';') + 1)).replace(/^<|>$/g, '') || undefined;
}

/** The human-readable part says that the content was refused, and not the address (Postfix, Exim). */
const CONTENT_REFUSED = /end of DATA|after DATA|to DATA command/i;

function bounceOf(recipient: HeaderFields, text: string): Bounce {
  const diagnostic = reportedText(recipient.get('diagnostic-code').replace(/^\s*[\w-]+\s*;/, ''));
  const status = enhancedCodeIn(recipient.get('status'));
  const reply = replyCodeOf(diagnostic);
  // The status x.0.0 contains no reason, but the reply text may.
  const enhanced = (isVague(status) ? undefined : status) ?? enhancedCodeIn(diagnostic);
  const hard = isDeadAddress({
    permanent: (enhanced ?? reply ?? status ?? '').startsWith('5'),
    phase: CONTENT_REFUSED.test(text) ? 'message' : 'rcpt',
    code: Number(reply ?? 0),
    enhanced,
  });
  return {
    type: hard ? 'hard' : 'soft',
    code: enhanced ?? reply ?? status ?? null,
    message: diagnostic || `Not delivered: ${status ?? 'no reason given'}`,
  };
}

const isVague = (status: string | undefined): boolean => status?.endsWith('.0.0') ?? true;
