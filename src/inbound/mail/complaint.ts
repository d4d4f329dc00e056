import { HeaderFields } from './header-fields.js';
import type { Part, ServerReport } from './received-mail.js';

/** `not-spam` is the opposite of a complaint; `auth-failure` and `dmarc` are about servers. */
const COMPLAINTS: readonly string[] = ['abuse', 'fraud', 'virus', 'other'];

/** Reads a feedback report (RFC 5965). @returns undefined for other reports */
export function complaint(parts: readonly Part[]): ServerReport | undefined {
  const feedback = parts.find(({ type }) => type === 'message/feedback-report');
  const type = feedback && HeaderFields.parse(feedback.text).get('feedback-type').toLowerCase();
  return type !== undefined && COMPLAINTS.includes(type) ? { kind: 'complained' } : undefined;
}
