import { Injectable } from '@nestjs/common';
import { MAX_HEADERS, READ_FOLDERS, type ReadFolder } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type FolderRun, MailGroups, MAX_FAILED_MAILS } from './mail-groups.js';
import { findNewMessages } from './new-messages.js';
import { findCursors, type FolderCursor, saveCursor } from './reading-leases.queries.js';
import { deleteFailedMail, findFailedMails, type FailedMailPosition } from './failed-mails.queries.js';

/** A mailbox that is being read. */
export interface MailboxRun extends Omit<FolderRun, 'folder'> {
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
  constructor(private readonly groups: MailGroups) {}

  /**
   * Reads the inbox and the junk folder, then tries mails again that could not be read before. A folder's cursor advances only
   * after its mails were recorded, or noted as failed, so a mail may be recorded twice, which changes nothing, but none is left
   * out.
   * @returns `more` if the run has ended before the end of the mailbox
   * @throws LeaseLost if another worker reads the mailbox; Busy; LoginRefused and ProviderUnavailable if its server fails
   */
  async read(scope: WorkspaceScope, run: MailboxRun): Promise<'done' | 'more'> {
    const paths = await run.session.folders();
    const cursors = await findCursors(scope, run.account_id);
    const failed = await findFailedMails(scope, run.account_id);
    const folders = READ_FOLDERS.flatMap((name): Folder[] => {
      const path = paths[name];
      return path === undefined ? [] : [{ name, path, cursor: cursors.get(name) }];
    });
    let result: 'done' | 'more' = 'done';
    for (const folder of folders) if ((await this.readFolder(scope, run, folder, failed)) === 'more') result = 'more';
    if (result === 'done') await this.tryAgain(scope, run, folders, failed);
    return result;
  }

  /** The numbers of another folder, or after a change of UIDVALIDITY, mean other messages: it is read again. */
  private async readFolder(
    scope: WorkspaceScope,
    run: MailboxRun,
    { name, path, cursor }: Folder,
    failed: readonly FailedMailPosition[],
  ): Promise<'done' | 'more'> {
    const open = await run.session.examine(path);
    const { uid_validity: uidValidity } = open;
    const isSame = cursor?.path === path && cursor.uid_validity === uidValidity;
    const after = isSame ? cursor.last_uid : 0;
    const advance = (lastUid: number): Promise<void> =>
      saveCursor(scope, run.account_id, name, { path, uid_validity: uidValidity, last_uid: lastUid });
    const session = await run.session.inFolder();
    const { uids, end } = await findNewMessages(session, open, { after, since: run.read_from });
    const folder = { folder: name, path, uid_validity: uidValidity };
    const noted = new Set(failed.filter(isIn(folder)).map(({ uid }) => uid));
    for (let first = 0; first < uids.length; first += MAX_HEADERS) {
      if (run.ending.aborted) return 'more';
      const group = uids.slice(first, first + MAX_HEADERS);
      // A run that ended within the group may have noted some of them.
      const fresh = group.filter((uid) => !noted.has(uid));
      await this.groups.read(scope, { ...run, folder }, fresh);
      await advance(group.at(-1) ?? after);
    }
    if (end === undefined) return 'more';
    if (!isSame || end !== (uids.at(-1) ?? after)) await advance(end);
    return 'done';
  }

  /** So few of them that the run is not ended by mails that still cannot be read. */
  private async tryAgain(
    scope: WorkspaceScope,
    { session, ending, ...run }: MailboxRun,
    folders: readonly Folder[],
    failed: readonly FailedMailPosition[],
  ): Promise<void> {
    const counts = { failed: 0 };
    const due = failed.filter((mail) => mail.is_due).slice(0, MAX_FAILED_MAILS - 1);
    for (const mail of due) {
      const path = folders.find(({ name }) => name === mail.folder)?.path;
      if (path === undefined) continue;
      if (ending.aborted) return;
      const { uid_validity: uidValidity } = await session.examine(path);
      const folder = { folder: mail.folder, path, uid_validity: uidValidity };
      const failedBefore = counts.failed;
      if (isIn(folder)(mail)) await this.groups.read(scope, { ...run, session, counts, folder }, [mail.uid]);
      if (counts.failed === failedBefore) await deleteFailedMail(scope, run.account_id, mail);
    }
  }
}

const isIn =
  ({ folder, uid_validity: uidValidity }: FolderRun['folder']) =>
  (mail: FailedMailPosition): boolean =>
    mail.folder === folder && mail.uid_validity === uidValidity;
