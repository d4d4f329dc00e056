import { Inject, Injectable } from '@nestjs/common';
import { MAX_USED_BYTES, reportedText, UnreadableMail } from '@outreach/mail-reading';
import { type MessageHeader, ProviderUnavailable, type ReopenedSession } from '@outreach/mail-sessions';
import { Log } from '@outreach/logging';
import { DatabaseUnavailable } from '@outreach/database';
import { CONFIG } from '../../platform/config/index.js';
import { Busy } from '../../platform/errors/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { InboundConfig } from '../inbound.settings.js';
import { ReceivedMails } from '../mail/received-mails.js';
import { failedMails } from './metrics.js';
import { LeaseLost } from './reading-leases.queries.js';
import { RelevantMails } from './relevant-mails.js';
import { type MailPosition, TRIES_UNTIL_REPORT, noteFailedTry } from './failed-mails.queries.js';

/** A run ends after so many mails that cannot be read: then the server is probably the reason. */
export const MAX_FAILED_MAILS = 3;

/** A folder that is open in the session of a run. */
export interface FolderRun {
  readonly account_id: number;
  /** Mails that were received before are not read. */
  readonly read_from: Date;
  readonly session: ReopenedSession;
  /** The run before has failed: it may have been because of a mail, and have ended before the mail was found. */
  readonly one_by_one: boolean;
  readonly folder: Omit<MailPosition, 'uid'> & { readonly path: string };
  /** How many mails could not be read in this run, which is counted here. */
  readonly counts: { failed: number };
}

interface ReadingStep {
  readonly uid: number;
  readonly read: () => Promise<void>;
}

type ListedMail = Pick<MessageHeader, 'uid' | 'received_at'>;

/**
 * Reads mails of a folder. One that cannot be read, because the server does not send it or because of what is in it, is noted
 * and tried again later. The others are read.
 */
@Injectable()
export class MailGroups {
  constructor(
    private readonly mails: ReceivedMails,
    private readonly relevant: RelevantMails,
    private readonly events: DomainEvents,
    private readonly log: Log,
    @Inject(CONFIG) private readonly config: InboundConfig,
  ) {}

  /**
   * Reads at most 100 mails. If that fails, they are read one by one.
   * @throws LeaseLost, Busy, DatabaseUnavailable, ProviderUnavailable if no session can be opened, and the last error if too
   *   many mails cannot be read
   */
  async read(scope: WorkspaceScope, run: FolderRun, uids: readonly number[]): Promise<void> {
    const listed = await this.tryGroup(scope, run, uids);
    const mails: readonly ReadingStep[] = listed
      ? listed.map((mail) => ({ uid: mail.uid, read: () => this.record(scope, run, mail) }))
      : uids.map((uid) => ({ uid, read: () => this.readOne(scope, run, uid) }));
    for (const mail of mails) await this.attempt(scope, run, mail);
  }

  /** @returns its relevant mails; undefined if they are to be read one by one */
  private async tryGroup(
    scope: WorkspaceScope,
    run: FolderRun,
    uids: readonly number[],
  ): Promise<readonly ListedMail[] | undefined> {
    if (run.one_by_one || uids.length <= 1) return undefined;
    await run.session.inFolder();
    try {
      return await this.list(scope, run, uids);
    } catch (error) {
      if (!isAboutMails(error)) throw error;
      this.log.info('mails of a mailbox are read one by one', { email_account_id: run.account_id, error });
      return undefined;
    }
  }

  private async readOne(scope: WorkspaceScope, run: FolderRun, uid: number): Promise<void> {
    for (const mail of await this.list(scope, run, [uid])) await this.record(scope, run, mail);
  }

  /** Returns the mails that could be about messages of the workspace. */
  private async list(scope: WorkspaceScope, run: FolderRun, uids: readonly number[]): Promise<readonly ListedMail[]> {
    const session = await run.session.inFolder();
    const headers = (await session.headers(uids)).filter((header) => isRecent(header, run.read_from));
    const relevant = await this.relevant.among(scope, headers, session);
    return headers
      .filter(({ uid }) => relevant.has(uid))
      .map(({ uid, received_at: receivedAt }) => ({ uid, received_at: receivedAt }));
  }

  private async record(scope: WorkspaceScope, run: FolderRun, mail: ListedMail): Promise<void> {
    const session = await run.session.inFolder();
    const raw = await session.start(mail.uid, MAX_USED_BYTES);
    if (!raw) return;
    const { received_at: at } = mail;
    // Whoever stores a mail chooses the date (RFC 3501, 6.3.11); one in the future is wrong, and may be too late to be stored.
    await this.mails.record(scope, raw, {
      email_account_id: run.account_id,
      ...(at && at <= scope.clock.now() ? { received_at: at } : {}),
    });
  }

  /** Opens the session first: only what fails after that is because of the mail. */
  private async attempt(scope: WorkspaceScope, run: FolderRun, { uid, read }: ReadingStep): Promise<void> {
    await run.session.inFolder();
    try {
      await read();
    } catch (error) {
      if (!isAboutMails(error)) throw error;
      await this.note(scope, run, uid, error);
      run.counts.failed += 1;
      if (run.counts.failed >= MAX_FAILED_MAILS) throw error;
    }
  }

  private note(scope: WorkspaceScope, run: FolderRun, uid: number, thrown: unknown): Promise<void> {
    const { folder, account_id: accountId } = run;
    const isExpected = thrown instanceof ProviderUnavailable || thrown instanceof UnreadableMail;
    const reason = isExpected ? thrown.message : 'The service could not process it.';
    const error = reportedText(`The mail ${uid} in the folder ${folder.path} could not be read: ${reason}`);
    const fields = { email_account_id: accountId, folder: folder.path, uid };
    if (!isExpected) this.log.error('a mail of a mailbox could not be processed', { ...fields, error: thrown });
    return scope.transaction(async (tx) => {
      const position = { folder: folder.folder, uid_validity: folder.uid_validity, uid };
      const failed = { ...position, error, pause_seconds: this.config.mailbox_poll_seconds };
      const tries = await noteFailedTry(tx, accountId, failed);
      if (tries === TRIES_UNTIL_REPORT)
        await this.events.publish(tx, 'email_account.mail_skipped', { email_account_id: accountId, error });
      tx.afterCommit(() => {
        this.log.warn('a mail of a mailbox could not be read', { ...fields, tries, reason });
        if (tries === TRIES_UNTIL_REPORT) failedMails.inc();
      });
    });
  }
}

/** What is not, has nothing to do with single mails. */
const isAboutMails = (error: unknown): boolean =>
  !(error instanceof Busy || error instanceof LeaseLost || error instanceof DatabaseUnavailable);

const isRecent = ({ received_at: at }: MessageHeader, readFrom: Date): boolean => !at || at >= readFrom;
