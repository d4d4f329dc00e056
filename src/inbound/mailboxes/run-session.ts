import { type ImapSession, type OpenFolder, ProviderUnavailable } from '@outreach/mail-sessions';

/** The session of a run. If a mail has ended it, another one is opened for the next. */
export class RunSession {
  private session: ImapSession | undefined;
  private folder: { readonly path: string; readonly uid_validity: number } | undefined;

  constructor(private readonly open: () => Promise<ImapSession>) {}

  async folders(): ReturnType<ImapSession['folders']> {
    return (await this.current()).folders();
  }

  /** Opens a folder, to which {@link inFolder} refers from now on. */
  async examine(path: string): Promise<OpenFolder> {
    const open = await (await this.current()).examine(path);
    this.folder = { path, uid_validity: open.uid_validity };
    return open;
  }

  /** Returns a session in which the folder is open. @throws ProviderUnavailable also if its numbers mean other messages now */
  async inFolder(): Promise<ImapSession> {
    const { folder, session } = this;
    if (!folder) throw new Error('No folder is open.');
    if (session?.isOpen) return session;
    const { uid_validity: uidValidity } = await this.examine(folder.path);
    if (uidValidity !== folder.uid_validity)
      throw new ProviderUnavailable(`The folder ${folder.path} was replaced while it was read.`);
    return this.current();
  }

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
