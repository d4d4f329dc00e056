import { type Bounce, isDeadAddress, type MessageReport } from '../../sending/index.js';
import { enhancedCodeIn, replyCodeOf, reportedText } from '../reported-text.js';
import { fieldGroups, type HeaderFields } from './header-fields.js';
import type { Part } from './received-mail.js';

const DELIVERY_STATUS = /^message\/(global-)?delivery-status$/;

/**
 * What a delivery status notification (RFC 3464) says: delivered, or given up. Undefined for other reports, and for one
 * that says nothing final, e.g. of a delay.
 * @param text what the notification says to people
 */
export function deliveryReport(parts: readonly Part[], text: string): MessageReport | undefined {
  const status = parts.find(({ type }) => DELIVERY_STATUS.test(type));
  const recipients = status ? fieldGroups(status.text).filter((group) => group.has('action')) : [];
  const failed = recipients.find((recipient) => actionOf(recipient) === 'failed');
  if (failed) return { kind: 'bounced', bounce: bounceOf(failed, text), address: addressOf(failed) };
  return recipients.some((recipient) => actionOf(recipient) === 'delivered') ? { kind: 'delivered' } : undefined;
}

/** Some servers add a comment: `failed (bad address)`. */
const actionOf = (recipient: HeaderFields): string => recipient.get('action').split(/[\s(]/, 1).join().toLowerCase();

/** `rfc822; bob@example.com` → `bob@example.com`. The address that was written to, before anybody forwarded it. */
function addressOf(recipient: HeaderFields): string | undefined {
  const recipientAddress = recipient.get('original-recipient') || recipient.get('final-recipient');
  return reportedText(recipientAddress.slice(recipientAddress.indexOf(';') + 1)).replace(/^<|>$/g, '') || undefined;
}

/** Where the human part says that the content was refused, and not the address (Postfix, Exim). */
const CONTENT_REFUSED = /end of DATA|after DATA|to DATA command/i;

function bounceOf(recipient: HeaderFields, text: string): Bounce {
  const diagnostic = reportedText(recipient.get('diagnostic-code').replace(/^\s*[\w-]+\s*;/, ''));
  const status = enhancedCodeIn(recipient.get('status'));
  const reply = replyCodeOf(diagnostic);
  // A status of x.0.0 says no more than that it failed; the words of the server may.
  const enhanced = (isVague(status) ? undefined : status) ?? enhancedCodeIn(diagnostic);
  const hard = isDeadAddress({
    permanent: (enhanced ?? reply ?? status ?? '').startsWith('5'),
    stage: CONTENT_REFUSED.test(text) ? 'message' : 'rcpt',
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
