import { Injectable } from '@nestjs/common';
import { findNewMessages, MAX_HEADERS } from '@outreach/mail-sessions';
import { READ_FOLDERS, type ReadFolder } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type FolderRun, MailGroups, MAX_FAILED_MAILS } from './mail-groups.js';
import { findCursors, type FolderCursor, saveCursor } from './reading-leases.queries.js';
import { deleteFailedMail, findFailedMails, type FailedMailPosition } from './failed-mails.queries.js';

/** After this time a folder with more mail leaves the rest to the next run. */
const FOLDER_MS = 15_000;
/** How many mails a run tries again: so few that it is not ended by those that still cannot be read. */
const MAX_RETRIES = MAX_FAILED_MAILS - 1;

export interface MailboxRun extends Omit<FolderRun, 'folder'> {
  /** Ends the run after the current group of messages. */
  readonly stopping: AbortSignal;
}

interface Folder {
  readonly name: ReadFolder;
  readonly path: string;
  readonly cursor: FolderCursor | undefined;
}

/** The mails of a mailbox that could not be read before. */
interface FailedMails {
  readonly mails: readonly FailedMailPosition[];
  /** How many the run may still try again. It is counted here. */
  retries: number;
}

/** Reads the mail that has arrived in a mailbox since the last time. */
@Injectable()
export class MailboxReader {
  constructor(private readonly groups: MailGroups) {}

  /**
   * Reads the inbox and the junk folder: first what is new in it, then mails again that could not be read before. A folder's
   * cursor advances only after its mails were recorded, or noted as failed, so a mail may be recorded twice, which changes
   * nothing, but none is left out.
   * @returns `more` if the run has ended before the end of the mailbox
   * @throws LeaseLost if another worker reads the mailbox; Busy; LoginRefused and ProviderUnavailable if its server fails
   */
  async read(scope: WorkspaceScope, run: MailboxRun): Promise<'done' | 'more'> {
    const paths = await run.session.folders();
    const cursors = await findCursors(scope, run.account_id);
    const folders = READ_FOLDERS.flatMap((name): Folder[] => {
      const path = paths[name];
      return path === undefined ? [] : [{ name, path, cursor: cursors.get(name) }];
    });
    const names = folders.map(({ name }) => name);
    const failed = { mails: await findFailedMails(scope, run.account_id, names), retries: MAX_RETRIES };
    let result: 'done' | 'more' = 'done';
    for (const folder of folders) if ((await this.readFolder(scope, run, folder, failed)) === 'more') result = 'more';
    return result;
  }

  /** The numbers of another folder, or after a change of UIDVALIDITY, mean other messages: it is read again. */
  private async readFolder(
    scope: WorkspaceScope,
    run: MailboxRun,
    { name, path, cursor }: Folder,
    failed: FailedMails,
  ): Promise<'done' | 'more'> {
    const ending = AbortSignal.any([run.stopping, AbortSignal.timeout(FOLDER_MS)]);
    const open = await run.session.examine(path);
    const { uid_validity: uidValidity } = open;
    const isSame = cursor?.path === path && cursor.uid_validity === uidValidity;
    const after = isSame ? cursor.last_uid : 0;
    const advance = (lastUid: number): Promise<void> =>
      saveCursor(scope, run.account_id, name, { path, uid_validity: uidValidity, last_uid: lastUid });
    const session = await run.session.inFolder();
    const { uids, end } = await findNewMessages(session, open, { after, since: run.read_from });
    const folder = { folder: name, path, uid_validity: uidValidity };
    const noted = new Set(failed.mails.filter(isIn(folder)).map(({ uid }) => uid));
    for (let first = 0; first < uids.length; first += MAX_HEADERS) {
      if (ending.aborted) return 'more';
      const group = uids.slice(first, first + MAX_HEADERS);
      // A run that ended within the group may have noted some of them.
      const fresh = group.filter((uid) => !noted.has(uid));
      await this.groups.read(scope, { ...run, folder }, fresh);
      await advance(group.at(-1) ?? after);
    }
    if (end === undefined) return 'more';
    if (!isSame || end !== (uids.at(-1) ?? after)) await advance(end);
    await this.tryAgain(scope, { ...run, folder, stopping: ending, counts: { failed: 0 } }, failed);
    return 'done';
  }

  private async tryAgain(scope: WorkspaceScope, run: MailboxRun & FolderRun, failed: FailedMails): Promise<void> {
    const { folder, counts, stopping } = run;
    for (const mail of failed.mails.filter((each) => each.is_due && each.folder === folder.folder)) {
      if (failed.retries === 0 || stopping.aborted) return;
      const failedBefore = counts.failed;
      if (isIn(folder)(mail)) {
        failed.retries -= 1;
        await this.groups.read(scope, run, [mail.uid]);
      }
      if (counts.failed === failedBefore) await deleteFailedMail(scope, run.account_id, mail);
    }
  }
}

const isIn =
  ({ folder, uid_validity: uidValidity }: FolderRun['folder']) =>
  (mail: FailedMailPosition): boolean =>
    mail.folder === folder && mail.uid_validity === uidValidity;
