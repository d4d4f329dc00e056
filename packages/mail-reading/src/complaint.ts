import { HeaderFields } from './header-fields.js';
import { isComplaintSubject } from './mail-server.js';
import type { PossibleReport, ServerReport } from './received-mail.js';

/** `not-spam` is the opposite of a complaint; `auth-failure` and `dmarc` are about servers. */
const COMPLAINTS: readonly string[] = ['abuse', 'fraud', 'virus', 'other', 'complaint'];
/** Of the drafts of RFC 5965: the recipient wants no more mail. */
const OPT_OUTS: readonly string[] = ['opt-out', 'opt-out-list'];

/**
 * Reads a feedback report (RFC 5965), or the complaint of a provider in another form that returns the message.
 * @returns undefined for other reports
 */
export function complaint({ parts, returned_ids: ids }: PossibleReport, subject: string): ServerReport | undefined {
  const feedback = parts.find(({ type }) => type === 'message/feedback-report');
  if (!feedback) return isComplaintSubject(subject) && ids.length > 0 ? { kind: 'complained' } : undefined;
  const type = HeaderFields.parse(feedback.text).get('feedback-type').toLowerCase();
  if (OPT_OUTS.includes(type)) return { kind: 'unsubscribed' };
  return COMPLAINTS.includes(type) ? { kind: 'complained' } : undefined;
}
