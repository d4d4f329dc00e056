import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ImapSessions, Mailboxes } from '../../email-accounts/index.js';
import { Log, withLogFields } from '@outreach/logging';
import { type JobKey, JobQueue } from '@outreach/job-queue';
import { FairQueue } from '@outreach/concurrency';
import { LoginRefused, ProviderUnavailable } from '@outreach/mail-sessions';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SENDING } from '../queues.js';
import { SendResults } from '../results/index.js';
import {
  type CheckedMessage,
  claimChecks,
  endChecks,
  lastAccepted,
  requeueChecks,
} from './sent-mail-checks.queries.js';
import { type SearchResult, searchSentMail } from './sent-mail-search.js';
import { UncertainMessages } from './uncertain-messages.cross-tenant.js';

/** After this time a mailbox with more messages to look for leaves its place to others, and waits for its next turn. */
const RUN_MS = 15_000;

/**
 * Looks for uncertain messages in the sent mail of their accounts, with one session per account (API v1, "Uncertain
 * messages"; ADR 46). A process that dies leaves them to the next search.
 */
@Injectable()
export class SentMailChecks implements BeforeApplicationShutdown {
  private readonly places = new FairQueue(FAIR_QUEUES.sentMailSearches);
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly uncertain: UncertainMessages,
    private readonly mailboxes: Mailboxes,
    private readonly sessions: ImapSessions,
    private readonly results: SendResults,
    private readonly jobQueue: JobQueue,
    private readonly log: Log,
  ) {}

  /** Starts the searches that are due, and does not wait for them. */
  async startDue(): Promise<void> {
    for (const account of await this.uncertain.dueAccounts()) this.start(account);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running.values());
  }

  private start(account: JobKey): void {
    const key = `${account.workspace_id}:${account.id}`;
    if (this.stopping.signal.aborted || this.running.has(key)) return;
    this.running.set(
      key,
      this.checkInTurn(account).finally(() => this.running.delete(key)),
    );
  }

  /** Never rejects: an error is logged, and the search is repeated. */
  private async checkInTurn({ workspace_id: workspaceId, id }: JobKey): Promise<void> {
    const fields = { workspace_id: workspaceId, email_account_id: id };
    try {
      await this.places.run(workspaceId, () =>
        withLogFields(fields, async () => this.check(await this.uncertain.open(workspaceId), id)),
      );
    } catch (error) {
      const isExpected = error instanceof LoginRefused || error instanceof ProviderUnavailable;
      if (isExpected) this.log.warn('the sent mail cannot be searched', { ...fields, reason: error.message });
      else this.log.error('the search for uncertain messages failed', { ...fields, error });
    }
  }

  private async check(scope: WorkspaceScope, accountId: number): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const messages = await claimChecks(scope, accountId);
    if (messages.length === 0) return;
    const result: SearchResult = { found: [], missing: [], undecided: [] };
    try {
      const left = await this.search(scope, accountId, messages, result);
      await requeueChecks(scope, left);
    } finally {
      // What is found is sent, whatever happens to the session later: `on_unknown` must not decide about it.
      await this.record(scope, accountId, result);
    }
  }

  /** @returns the messages that were not looked for @throws LoginRefused, ProviderUnavailable */
  private async search(
    scope: WorkspaceScope,
    accountId: number,
    messages: readonly CheckedMessage[],
    result: SearchResult,
  ): Promise<readonly CheckedMessage[]> {
    const deadline = performance.now() + RUN_MS;
    const mailbox = await this.mailboxes.find(scope, accountId);
    const session = mailbox && (await this.sessions.open(scope, mailbox));
    if (!session) return [];
    const accepted = mailbox.storesSentMail ? undefined : await lastAccepted(scope, accountId);
    const close = (): void => session.close();
    this.stopping.signal.addEventListener('abort', close, { once: true });
    try {
      return await searchSentMail(session, { messages, accepted }, result, () => performance.now() > deadline);
    } finally {
      this.stopping.signal.removeEventListener('abort', close);
      close();
    }
  }

  private async record(
    scope: WorkspaceScope,
    accountId: number,
    { found, missing, undecided }: SearchResult,
  ): Promise<void> {
    await this.results.recordFound(scope, found);
    const { queued, unknown } = await this.results.recordMissing(scope, missing);
    await endChecks(scope, undecided);
    if (queued > 0) this.jobQueue.enqueue(SENDING, [{ workspace_id: scope.workspace_id, id: accountId }]);
    if (found.length + queued + unknown + undecided.length === 0) return;
    const counts = { sent: found.length, queued, unknown, undecided: undecided.length };
    this.log.warn('uncertain messages were looked for in the sent mail', counts);
  }
}
