import { type FairQueueLimits, TaskTerminated, ThreadPool } from '@outreach/concurrency';
import type { HeaderSummary } from './header-summary.js';
import type { HeadersTask, MailTask, ParserResult, ParserTask } from './parser-task.js';
import { MAX_USED_BYTES, type ParsedMail, type ReceivedMail, receivedMail, UnreadableMail } from './received-mail.js';

const TIMEOUT_MS = 10_000;

/**
 * Parses received mails, and headers in mailboxes, in worker threads: the tables of an unusual charset alone take longer to
 * load than 100 ms.
 */
export class MailParser {
  private readonly threads: ThreadPool<ParserTask, ParserResult>;

  /** @param limits how many threads there are, and how many mails of an owner wait */
  constructor(limits: FairQueueLimits) {
    this.threads = new ThreadPool(new URL('./parse-mail.worker.js', import.meta.url), {
      ...limits,
      timeoutMs: TIMEOUT_MS,
    });
  }

  /**
   * Parses a mail (RFC 5322), of which the first {@link MAX_USED_BYTES} are used.
   * @param owner the mails of several owners are parsed in turns
   * @throws UnreadableMail, also for a mail that takes too long twice; the error of the limit if too many mails of the owner wait
   */
  async parse(owner: number, raw: Buffer, receivedAt: Date): Promise<ReceivedMail> {
    // A copy, because a thread gets the whole memory of a buffer, also for a part of it.
    const bytes = new Uint8Array(raw.subarray(0, MAX_USED_BYTES));
    return receivedMail(await this.runInThread(owner, { mail: { bytes, received_at: receivedAt } }));
  }

  /**
   * Returns what the beginnings of headers say, in their order.
   * @throws UnreadableMail if a header takes too long twice; the error of the limit if too many mails of the owner wait
   */
  async summarize(owner: number, headers: readonly Buffer[]): Promise<readonly HeaderSummary[]> {
    if (headers.length === 0) return [];
    return this.runInThread(owner, { headers: headers.map((header) => new Uint8Array(header)) });
  }

  /**
   * The time of a thread includes any time in which the host stands still: only a second failure, in another thread, says
   * that the mail is the reason.
   * @throws UnreadableMail after the second failure
   */
  private runInThread(owner: number, task: MailTask): Promise<ParsedMail>;
  private runInThread(owner: number, task: HeadersTask): Promise<readonly HeaderSummary[]>;
  private async runInThread(owner: number, task: ParserTask): Promise<ParserResult> {
    const run = () => this.threads.run(owner, task);
    try {
      return await run().catch((error: unknown) => (error instanceof TaskTerminated ? run() : Promise.reject(error)));
    } catch (error) {
      if (error instanceof TaskTerminated) throw new UnreadableMail(error.message, { cause: error });
      throw error;
    }
  }
}
