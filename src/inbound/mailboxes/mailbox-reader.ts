import { Injectable } from '@nestjs/common';
import {
  type ImapSession,
  MAX_HEADERS,
  type MessageHeader,
  READ_FOLDERS,
  type ReadFolder,
} from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MAX_USED_BYTES } from '../mail/received-mail.js';
import { ReceivedMails } from '../mail/received-mails.js';
import { findNewMessages } from './new-messages.js';
import { findCursors, type FolderCursor, saveCursor } from './reading-leases.queries.js';
import { RelevantMails } from './relevant-mails.js';

/** A mailbox that is being read. */
export interface MailboxRun {
  readonly account_id: number;
  readonly read_from: Date;
  readonly session: ImapSession;
  /** Ends the run after the current group of messages. */
  readonly ending: AbortSignal;
}

interface Folder {
  readonly name: ReadFolder;
  readonly path: string;
  readonly cursor: FolderCursor | undefined;
}

/** Reads the mail that has arrived in a mailbox since the last time. */
@Injectable()
export class MailboxReader {
  constructor(
    private readonly mails: ReceivedMails,
    private readonly relevant: RelevantMails,
  ) {}

  /**
   * Reads the inbox and the junk folder. A folder's cursor advances only after its mails were recorded, so a mail may be
   * recorded twice, which changes nothing, but none is left out.
   * @returns `more` if the run has ended before the end of the mailbox
   * @throws LeaseLost if another worker reads the mailbox
   */
  async read(scope: WorkspaceScope, run: MailboxRun): Promise<'done' | 'more'> {
    const paths = await run.session.folders();
    const cursors = await findCursors(scope, run.account_id);
    let result: 'done' | 'more' = 'done';
    for (const name of READ_FOLDERS) {
      const path = paths[name];
      if (path === undefined) continue;
      const folder = { name, path, cursor: cursors.get(name) };
      if ((await this.readFolder(scope, run, folder)) === 'more') result = 'more';
    }
    return result;
  }

  /** The numbers of another folder, or after a change of UIDVALIDITY, mean other messages: it is read again. */
  private async readFolder(scope: WorkspaceScope, run: MailboxRun, folder: Folder): Promise<'done' | 'more'> {
    const { session, read_from: since } = run;
    const { name, path, cursor } = folder;
    const open = await session.examine(path);
    const isSame = cursor?.path === path && cursor.uid_validity === open.uid_validity;
    const after = isSame ? cursor.last_uid : 0;
    const advance = (lastUid: number): Promise<void> =>
      saveCursor(scope, run.account_id, name, { path, uid_validity: open.uid_validity, last_uid: lastUid });
    const { uids, end } = await findNewMessages(session, open, { after, since });
    for (let first = 0; first < uids.length; first += MAX_HEADERS) {
      if (run.ending.aborted) return 'more';
      const group = uids.slice(first, first + MAX_HEADERS);
      await this.readGroup(scope, run, group);
      await advance(group.at(-1) ?? after);
    }
    if (end === undefined) return 'more';
    if (!isSame || end !== (uids.at(-1) ?? after)) await advance(end);
    return 'done';
  }

  private async readGroup(scope: WorkspaceScope, run: MailboxRun, uids: readonly number[]): Promise<void> {
    const headers = (await run.session.headers(uids)).filter((header) => isRecent(header, run.read_from));
    const relevant = await this.relevant.among(scope, headers, run.session);
    for (const { uid, received_at } of headers) {
      if (!relevant.has(uid)) continue;
      const raw = await run.session.start(uid, MAX_USED_BYTES);
      if (!raw) continue;
      // Whoever stores a mail chooses the date (RFC 3501, 6.3.11); one in the future is wrong, and may be too late to be stored.
      await this.mails.record(scope, raw, {
        email_account_id: run.account_id,
        ...(received_at && received_at <= scope.clock.now() ? { received_at } : {}),
      });
    }
  }
}

const isRecent = ({ received_at: at }: MessageHeader, readFrom: Date): boolean => !at || at >= readFrom;
