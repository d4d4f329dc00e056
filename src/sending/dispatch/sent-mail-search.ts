import type { ImapSession } from '@outreach/mail-sessions';
import type { CheckedMessage, SentMessage } from './sent-mail-checks.queries.js';

export interface SearchResult {
  /** Messages that the mailbox has. */
  readonly found: number[];
  /** Messages that were not sent: a minute after their connections were lost, a mailbox that stores what is sent lacks them. */
  readonly missing: number[];
  /** Messages that it lacks, too, but it may lack every message that is sent. */
  readonly undecided: number[];
}

export interface SentMailSearch {
  readonly messages: readonly CheckedMessage[];
  /** The last messages that the server has surely accepted, the latest first; undefined if the provider stores every message. */
  readonly accepted: readonly SentMessage[] | undefined;
}

/**
 * Looks for messages in the sent mail of a mailbox until the time is over, but for at least one of them, so that slow
 * servers are searched to the end in several sessions. Adds to `result` what it finds out, also if it fails later.
 * @returns the messages that were not looked for
 * @throws ImapUnavailable
 */
export async function searchSentMail(
  session: ImapSession,
  { messages, accepted }: SentMailSearch,
  { found, missing, undecided }: SearchResult,
  isTimeOver: () => boolean,
): Promise<readonly CheckedMessage[]> {
  await session.examineSent();
  let stores = accepted === undefined ? true : undefined;
  const left = [...messages];
  for (let message = left.shift(); message; message = left.shift()) {
    if (await session.hasMessage(message.message_id)) {
      found.push(message.id);
      stores = true;
    } else if (message.is_late) {
      stores ??= await hasLatest(session, accepted ?? []);
      (stores ? missing : undecided).push(message.id);
    }
    if (isTimeOver()) break;
  }
  return left;
}

/**
 * Whether the mailbox has the latest message that was surely sent. Many servers store no copies of what is sent by SMTP. One
 * that was sent less than a minute ago may be stored later: then the one before decides.
 */
async function hasLatest(session: ImapSession, accepted: readonly SentMessage[]): Promise<boolean> {
  for (const message of accepted) {
    if (await session.hasMessage(message.message_id)) return true;
    if (message.is_late) return false;
  }
  return false;
}
