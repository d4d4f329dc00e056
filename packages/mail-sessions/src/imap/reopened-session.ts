import { ImapUnavailable } from './imap-errors.js';
import type { ImapSession, OpenFolder } from './imap-session.js';

/** A session that is opened again, with its folder, if a command has ended it. */
export class ReopenedSession {
  private session: ImapSession | undefined;
  private folder: { readonly path: string; readonly uid_validity: number } | undefined;

  constructor(private readonly open: () => Promise<ImapSession>) {}

  /** Returns the paths of the folders that are used. */
  async folders(): ReturnType<ImapSession['folders']> {
    return (await this.current()).folders();
  }

  /** Opens a folder, to which {@link inFolder} refers from now on. */
  async examine(path: string): Promise<OpenFolder> {
    const open = await (await this.current()).examine(path);
    this.folder = { path, uid_validity: open.uid_validity };
    return open;
  }

  /** Returns a session in which the folder is open. @throws ImapUnavailable also if its numbers mean other messages now */
  async inFolder(): Promise<ImapSession> {
    const { folder, session } = this;
    if (!folder) throw new Error('No folder is open.');
    if (session?.isOpen) return session;
    const { uid_validity: uidValidity } = await this.examine(folder.path);
    if (uidValidity !== folder.uid_validity)
      throw new ImapUnavailable(`The folder ${folder.path} was replaced while it was read.`);
    return this.current();
  }

  /** Closes the session that is open, if there is one. */
  close(): void {
    this.session?.close();
  }

  private async current(): Promise<ImapSession> {
    if (this.session?.isOpen) return this.session;
    this.session?.close();
    this.session = await this.open();
    return this.session;
  }
}
