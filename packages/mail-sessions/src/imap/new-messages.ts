import type { ImapSession, OpenFolder } from './imap-session.js';

/** How many messages one search looks at. Its result is one line. */
const SEARCH_SIZE = 1_000;
/** How many numbers are kept in memory. The next call continues. */
const MAX_FOUND = 20_000;
const MAX_UID = 4_294_967_295;

export interface NewMessages {
  /** Their numbers, ascending. */
  readonly uids: readonly number[];
  /** The number up to which the folder is read when these are; undefined if there are more. */
  readonly end: number | undefined;
}

/**
 * Finds the messages of the open folder after a number. If there may be many, they are searched by their positions,
 * because the numbers of a folder have gaps of any size.
 * @param since the earliest day on which the server received them
 */
export async function findNewMessages(
  session: ImapSession,
  { uid_next: next, messages }: OpenFolder,
  { after, since }: { readonly after: number; readonly since: Date },
): Promise<NewMessages> {
  const to = next === undefined ? MAX_UID : next - 1;
  if (messages === 0 || to <= after) return { uids: [], end: next === undefined ? after : Math.max(after, to) };
  const range = { from: after + 1, to, since };
  const uids: number[] = [];
  if (Math.min(messages, to - after) <= SEARCH_SIZE) uids.push(...(await session.search(range)));
  else {
    for (let first = 1; first <= messages; first += SEARCH_SIZE) {
      if (uids.length >= MAX_FOUND) return { uids, end: undefined };
      uids.push(...(await session.search(range, [first, Math.min(messages, first + SEARCH_SIZE - 1)])));
    }
  }
  return { uids, end: next === undefined ? (uids.at(-1) ?? after) : to };
}
