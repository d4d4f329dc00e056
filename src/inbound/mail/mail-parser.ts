import { Injectable } from '@nestjs/common';
import { TaskTerminated, ThreadPool } from '../../platform/concurrency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import {
  MAX_USED_BYTES,
  type ParsedMail,
  type RawMail,
  type ReceivedMail,
  receivedMail,
  UnreadableMail,
} from './received-mail.js';

const TIMEOUT_MS = 10_000;
const MAX_WAITING_PER_WORKSPACE = 50;

/** Parses received mails in worker threads: the tables of an unusual charset alone take longer to load than 100 ms. */
@Injectable()
export class MailParser {
  private readonly threads = new ThreadPool<RawMail, ParsedMail>(new URL('./parse-mail.worker.js', import.meta.url), {
    threads: 2,
    perKey: 1,
    waitingPerKey: MAX_WAITING_PER_WORKSPACE,
    timeoutMs: TIMEOUT_MS,
  });

  /** @throws UnreadableMail, also for a mail that takes too long twice; Busy if too many mails of the workspace wait */
  async parse({ workspace_id: workspaceId }: WorkspaceScope, raw: Buffer, receivedAt: Date): Promise<ReceivedMail> {
    // A copy, because a thread gets the whole memory of a buffer, also for a part of it.
    const bytes = new Uint8Array(raw.subarray(0, MAX_USED_BYTES));
    try {
      return receivedMail(await this.parseInThread(workspaceId, { bytes, received_at: receivedAt }));
    } catch (error) {
      if (error instanceof TaskTerminated) throw new UnreadableMail(error.message, { cause: error });
      throw error;
    }
  }

  /**
   * The time of a thread includes any time in which the host stands still: only a second failure, in another thread, says
   * that the mail is the reason.
   */
  private async parseInThread(workspaceId: number, mail: RawMail): Promise<ParsedMail> {
    try {
      return await this.threads.run(workspaceId, mail);
    } catch (error) {
      if (!(error instanceof TaskTerminated)) throw error;
      return this.threads.run(workspaceId, mail);
    }
  }
}
