import type { MessageReason } from '../rule.js';

/** The reason of a message with the status `sending` that is being looked for in the sent mail of its account. */
export const CHECKING_SENT_MAIL = 'checking_sent_mail';

/** The sent mail shows whether the message was sent: `dispatch/sent-mail-checks.ts` looks for it. */
export const sentMailCheck: MessageReason<typeof CHECKING_SENT_MAIL> = {
  /** The connection was lost, and the sent mail of the account shows whether it was sent. */
  reason: CHECKING_SENT_MAIL,
  level: 'message',
};
