import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { ImapDialogue } from './imap-dialogue.js';
import { findFolders, type ImapFolders } from './imap-folders.js';
import { ImapUnavailable } from './imap-errors.js';

const LOGOUT_TIMEOUT_MS = 2_000;

/** How many messages a call of {@link ImapSession.headers} may name: their numbers fit into a line of any server. */
export const MAX_HEADERS = 100;
/** How much of a header is fetched at first. Longer ones are rare. */
const MAX_HEADER_BYTES = 16_384;
/** What a header may have around it in the reply. */
const FRAMING_BYTES = 1_024;

/** A folder that is open for reading. */
export interface OpenFolder {
  /** While it stays the same, a number names the same message (RFC 3501, 2.3.1.1). */
  readonly uid_validity: number;
  /** The number that the next message gets; undefined if the server does not say. */
  readonly uid_next: number | undefined;
  /** How many messages it has. */
  readonly messages: number;
}

/** The beginning of the header of a message. */
export interface MessageHeader {
  readonly uid: number;
  /** When the server received it; undefined if the server does not say. */
  readonly received_at: Date | undefined;
  /** At most 16 KB. */
  readonly header: Buffer;
}

/** A connection that is logged in. It changes nothing in the mailbox: no message is marked as seen. */
export interface ImapSession {
  /** Whether it can run another command. Servers may close idle sessions at any time. */
  readonly isOpen: boolean;
  /** Returns the paths of the folders that are used. */
  folders(): Promise<ImapFolders>;
  /** Opens a folder for reading, with EXAMINE. The methods below refer to it. */
  examine(path: string): Promise<OpenFolder>;
  /**
   * Returns the numbers (UIDs) of messages, ascending: those between `from` and `to` that the server received on `since`
   * or later. Servers compare days in their own time zone.
   * @param positions limits the search to messages at these positions in the folder, from 1
   */
  search(range: UidRange, positions?: readonly [first: number, last: number]): Promise<readonly number[]>;
  /** Returns the headers of these messages, ascending; at most 100. Missing messages are left out. */
  headers(uids: readonly number[]): Promise<readonly MessageHeader[]>;
  /**
   * Returns which of these messages (at most 100) that are smaller than `maxBytes` have a text in their bodies, in upper or
   * lower case, as far as the server finds it: none if it refuses the search.
   */
  mentioning(uids: readonly number[], text: string, maxBytes: number): Promise<readonly number[]>;
  /** Returns the first bytes of a message, or undefined if it does not exist any more. */
  start(uid: number, maxBytes: number): Promise<Buffer | undefined>;
  /** Opens the folder of sent mail like {@link examine}. @throws ImapUnavailable also if there is no such folder */
  examineSent(): Promise<OpenFolder>;
  /** Returns whether the folder has a message with this Message-ID, without angle brackets. */
  hasMessage(messageId: string): Promise<boolean>;
  /** Sends LOGOUT. A command that is running is interrupted. */
  close(): void;
}

/** Numbers of messages, both inclusive, and the day on which they begin. */
export interface UidRange {
  readonly from: number;
  readonly to: number;
  readonly since: Date;
}

/**
 * {@link ImapSession} on a connection of imapflow. Every method throws ImapUnavailable if the server fails; the session is still
 * open then if the server has only refused the command.
 */
export class OpenImapSession implements ImapSession {
  private isClosed = false;
  private expunged = 0;

  constructor(
    private readonly client: ImapFlow,
    private readonly dialogue: ImapDialogue,
    private readonly timeoutMs: number,
  ) {
    client.on('expunge', () => (this.expunged += 1));
  }

  get isOpen(): boolean {
    return !this.isClosed && this.dialogue.isOpen;
  }

  async folders(): Promise<ImapFolders> {
    // The order and the subscriptions, which the library finds out otherwise, take long for many folders.
    return findFolders(await this.run(() => this.client.list({ listOnly: true })));
  }

  async examine(path: string): Promise<OpenFolder> {
    const folder = await this.run(() => this.client.mailboxOpen(path, { readOnly: true }));
    const { uidValidity, uidNext, exists } = folder;
    if (!uidValidity) throw this.failed(`the folder ${path} has no UIDVALIDITY`);
    return { uid_validity: Number(BigInt.asUintN(53, uidValidity)), uid_next: uidNext || undefined, messages: exists };
  }

  async search(
    { from, to, since }: UidRange,
    positions?: readonly [first: number, last: number],
  ): Promise<readonly number[]> {
    const seq = positions && { seq: positions.join(':') };
    const query = { ...seq, uid: `${from}:${to}`, since: dayOf(since) };
    const expunged = this.expunged;
    const found = await this.run(() => this.client.search(query, { uid: true }));
    // imapflow returns false if the server refuses the search.
    if (!found) throw this.failed('the server refused a search');
    if (positions && this.expunged !== expunged) throw this.failed('messages were deleted during a search');
    return found.filter((uid) => uid >= from && uid <= to).sort((a, b) => a - b);
  }

  async headers(uids: readonly number[]): Promise<readonly MessageHeader[]> {
    const wanted = new Set(uids);
    const maxBytes = uids.length * (MAX_HEADER_BYTES + FRAMING_BYTES) + FRAMING_BYTES;
    const query = { internalDate: true, bodyParts: [{ key: 'HEADER', maxLength: MAX_HEADER_BYTES }] };
    const messages = await this.run(() => this.client.fetchAll(uidSet(uids), query, { uid: true }), maxBytes);
    const headers = messages.filter(({ uid }) => wanted.delete(uid)).map(headerOf);
    return headers.sort((a, b) => a.uid - b.uid);
  }

  async mentioning(uids: readonly number[], text: string, maxBytes: number): Promise<readonly number[]> {
    const query = { uid: uidSet(uids), smaller: maxBytes, body: text };
    const found = (await this.run(() => this.client.search(query, { uid: true }))) || [];
    return found.filter((uid) => uids.includes(uid));
  }

  async start(uid: number, maxBytes: number): Promise<Buffer | undefined> {
    const query = { source: { start: 0, maxLength: maxBytes } };
    const message = await this.run(
      () => this.client.fetchOne(String(uid), query, { uid: true }),
      maxBytes + FRAMING_BYTES,
    );
    if (!message || message.uid !== uid) return undefined;
    return message.source?.subarray(0, maxBytes);
  }

  async examineSent(): Promise<OpenFolder> {
    const { sent } = await this.folders();
    if (sent === undefined) throw this.failed('there is no folder of sent mail');
    return this.examine(sent);
  }

  async hasMessage(messageId: string): Promise<boolean> {
    const found = await this.run(() =>
      this.client.search({ header: { 'Message-ID': `<${messageId}>` } }, { uid: true }),
    );
    if (!found) throw this.failed('the server refused a search');
    return found.length > 0;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (!this.dialogue.isOpen) return this.dialogue.close();
    // The connection is closed in any case, whatever the server replies.
    this.dialogue.step(() => this.client.logout(), LOGOUT_TIMEOUT_MS).catch(() => this.dialogue.close());
  }

  private run<T>(command: () => Promise<T>, maxBytes?: number): Promise<T> {
    return this.dialogue.step(command, this.timeoutMs, maxBytes);
  }

  private failed(reason: string): ImapUnavailable {
    return new ImapUnavailable(`${this.client.host}, port ${this.client.port}: ${reason}`);
  }
}

/** Servers compare the day of a message in their own time zone, so it may be the one before. */
const dayOf = (since: Date): Date => new Date(since.getTime() - 24 * 60 * 60 * 1_000);

const headerOf = ({ uid, internalDate, headers }: FetchMessageObject): MessageHeader => ({
  uid,
  received_at: internalDate instanceof Date ? internalDate : undefined,
  header: headers?.subarray(0, MAX_HEADER_BYTES) ?? Buffer.alloc(0),
});

/** `[1, 2, 3, 7]` → `1:3,7` */
function uidSet(ascending: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const uid of ascending) {
    const range = ranges.at(-1);
    if (range && range[1] + 1 === uid) range[1] = uid;
    else ranges.push([uid, uid]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}:${last}`)).join();
}
