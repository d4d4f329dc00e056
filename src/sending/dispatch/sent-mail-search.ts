import type { ImapSession } from '../../email-accounts/index.js';
import type { CheckedMessage } from './sent-mail-checks.queries.js';

/** What a search has found out so far. */
export interface SearchResult {
  /** Messages that the mailbox has. */
  readonly found: number[];
  /** Messages that it has not, a minute after their connections were lost. */
  readonly missing: number[];
}

/**
 * Looks for messages in the sent mail of a mailbox until the time is over, but for at least one of them, so that slow
 * servers are searched to the end in several sessions. Adds to `result` what it finds out, also if it fails later.
 * @returns the messages that were not looked for
 * @throws ImapUnavailable
 */
export async function searchSentMail(
  session: ImapSession,
  messages: readonly CheckedMessage[],
  { found, missing }: SearchResult,
  isTimeOver: () => boolean,
): Promise<readonly CheckedMessage[]> {
  await session.examineSent();
  const left = [...messages];
  for (let message = left.shift(); message; message = left.shift()) {
    if (await session.hasMessage(message.message_id)) found.push(message.id);
    else if (message.is_late) missing.push(message.id);
    if (isTimeOver()) break;
  }
  return left;
}
