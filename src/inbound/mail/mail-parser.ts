import { Injectable } from '@nestjs/common';
import { TaskTerminated, ThreadPool } from '@outreach/concurrency';
import {
  type HeaderSummary,
  MAX_USED_BYTES,
  type ParsedMail,
  type ReceivedMail,
  receivedMail,
  UnreadableMail,
} from '@outreach/mail-reading';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { HeadersTask, MailTask, ParserResult, ParserTask } from './parser-task.js';

const TIMEOUT_MS = 10_000;

/**
 * Parses received mails, and headers in mailboxes, in worker threads: the tables of an unusual charset alone take longer to
 * load than 100 ms.
 */
@Injectable()
export class MailParser {
  private readonly threads = new ThreadPool<ParserTask, ParserResult>(
    new URL('./parse-mail.worker.js', import.meta.url),
    {
      ...FAIR_QUEUES.mailParsing,
      timeoutMs: TIMEOUT_MS,
    },
  );

  /** @throws UnreadableMail, also for a mail that takes too long twice; Busy if too many mails of the workspace wait */
  async parse({ workspace_id: workspaceId }: WorkspaceScope, raw: Buffer, receivedAt: Date): Promise<ReceivedMail> {
    // A copy, because a thread gets the whole memory of a buffer, also for a part of it.
    const bytes = new Uint8Array(raw.subarray(0, MAX_USED_BYTES));
    return receivedMail(await this.runInThread(workspaceId, { mail: { bytes, received_at: receivedAt } }));
  }

  /**
   * Returns what the beginnings of headers say, in their order.
   * @throws UnreadableMail if a header takes too long twice; Busy if too many mails of the workspace wait
   */
  async summarize(
    { workspace_id: workspaceId }: WorkspaceScope,
    headers: readonly Buffer[],
  ): Promise<readonly HeaderSummary[]> {
    if (headers.length === 0) return [];
    return this.runInThread(workspaceId, { headers: headers.map((header) => new Uint8Array(header)) });
  }

  /**
   * The time of a thread includes any time in which the host stands still: only a second failure, in another thread, says
   * that the mail is the reason.
   * @throws UnreadableMail after the second failure
   */
  private runInThread(workspaceId: number, task: MailTask): Promise<ParsedMail>;
  private runInThread(workspaceId: number, task: HeadersTask): Promise<readonly HeaderSummary[]>;
  private async runInThread(workspaceId: number, task: ParserTask): Promise<ParserResult> {
    const run = () => this.threads.run(workspaceId, task);
    try {
      return await run().catch((error: unknown) => (error instanceof TaskTerminated ? run() : Promise.reject(error)));
    } catch (error) {
      if (error instanceof TaskTerminated) throw new UnreadableMail(error.message, { cause: error });
      throw error;
    }
  }
}
