import { Injectable } from '@nestjs/common';
import type { Mailbox, MailboxCredentials } from '../../email-accounts/index.js';
import { DatabaseUnavailable, sql } from '../../platform/database/index.js';
import { LEASE_SECONDS } from '../../platform/queue/index.js';
import {
  decideUntaken,
  NO_WAIT,
  PendingResults,
  type SendDecision,
  type SendTarget,
  SendTransactions,
  type Wait,
} from '../results/index.js';
import { type Transport, Transports } from '../transports/index.js';
import type { ClaimedMessage } from './claim.queries.js';
import { MessageConnection } from './message-connection.js';
import { MessageLeases } from './message-leases.js';
import { MessageSender, type SendContext } from './message-sender.js';
import { RunClaims } from './run-claims.js';
import type { RunEnd } from './run-end.js';
import { type FailedMessage, hasReply, RunProgress, UNCONFIRMED } from './run-progress.js';
import { ServerExperience } from './server-experience.js';
import { endsWithin, type SlowSend, SlowSends } from './slow-sends.js';

/** For how long a run claims messages, and waits for one of them. */
const RUN_MS = 5_000;
/** How often a run asks for a place for a slow message. */
const NEXT_PLACE_MS = 1_000;
/** A run claims about as many messages at a time as it sends in this time. */
const CLAIM_MS = 2_000;

/** What the runs of all accounts share. */
@Injectable()
export class RunDependencies {
  constructor(
    readonly sender: MessageSender,
    readonly results: PendingResults,
    readonly leases: MessageLeases,
    readonly transports: Transports,
    readonly slowSends: SlowSends,
    readonly servers: ServerExperience,
    readonly transactions: SendTransactions,
  ) {}
}

/** What the process that sends decides for a run. */
export interface RunOptions {
  /** How many connections it opens at most. Those of {@link SlowSends} come in addition. */
  readonly maxConnections: number;
  readonly stopping: AbortSignal;
  /** Acts on the end of a run that became known after it had returned. */
  readonly settleLate: (end: RunEnd) => Promise<unknown>;
}

/** How an attempt has failed before content was sent. */
interface AttemptError {
  readonly error: unknown;
  /** When it has begun, as `performance.now()`. */
  readonly begun: number;
  /** This process has closed the connection. */
  readonly isClosed: boolean;
  /** No session was opened. */
  readonly isOpening: boolean;
}

/** A message on its way, until its result is recorded. */
interface Sending extends SlowSend {
  /** The server has replied. Resolves to whether another message can follow on the connection. */
  readonly replied: Promise<boolean>;
}

/**
 * A time-boxed run on one account: a few connections share the claimed messages, and claim more before these run out.
 * While the result of a message is recorded, the next message of its connection is composed and checked. A message whose
 * server has not replied after that time, be it to the message or to the connection, is left to {@link SlowSends}.
 */
export class AccountRun {
  private readonly claims: RunClaims;
  private failure: { readonly error: unknown } | undefined;
  private credentials: MailboxCredentials | undefined;
  private readonly progress: RunProgress;
  private readonly deadline = performance.now() + RUN_MS;

  constructor(
    private readonly context: SendContext,
    private readonly mailbox: Mailbox,
    private readonly dependencies: RunDependencies,
    private readonly options: RunOptions,
  ) {
    this.claims = new RunClaims({ ...context, results: dependencies.results, leases: dependencies.leases });
    // With a gap, a run has one message, and the gap limits how many become uncertain.
    this.progress = new RunProgress(context.provider, mailbox.has_gap ? Infinity : options.maxConnections);
  }

  /** Sends until the run ends, then puts back what is still claimed. Throws the first failure after that. */
  async run(): Promise<RunEnd> {
    const { transactions } = this.dependencies;
    const connections = Array.from({ length: this.options.maxConnections }, () =>
      transactions.whileBusy(() => this.sendOnOneConnection()),
    );
    const settled = await Promise.allSettled([...connections, this.releaseEarly(connections)]);
    const end = this.progress.complete();
    await this.settleFailed(end);
    await this.claims.end();
    for (const connection of settled) if (connection.status === 'rejected') throw connection.reason;
    if (this.failure) throw this.failure.error;
    return end.kind === 'done' && this.claims.isMoreDue ? { kind: 'more' } : end;
  }

  private async sendOnOneConnection(): Promise<void> {
    let transport: Transport | undefined;
    let last: Sending | undefined;
    try {
      for (let message = await this.next(); message; message = await this.next()) {
        const sending = this.send(message, transport, last);
        // With a gap, the next claim depends on the result.
        const isLeft = await this.isLeft(sending, this.mailbox.has_gap ? sending.ended : sending.replied);
        last = isLeft ? undefined : sending;
        transport = last?.connection.transport;
        if (!transport || !(await sending.replied)) break;
      }
    } catch (error) {
      this.progress.noteTimeUp();
      throw error;
    } finally {
      if (last && (await this.isLeft(last, last.ended))) transport = undefined;
      this.release(transport);
    }
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.progress.noteTimeUp();
  }

  private release(transport: Transport | undefined): void {
    if (transport && this.credentials)
      this.dependencies.transports.release(this.context.scope, this.credentials, transport);
  }

  /**
   * Waits until a message has come so far. If it takes long, leaves it to {@link SlowSends}.
   * @returns false when it has come so far
   */
  private async isLeft(sending: SlowSend, progress: Promise<unknown>): Promise<boolean> {
    let milliseconds = RUN_MS;
    while (!(await endsWithin(progress, milliseconds))) {
      if (this.dependencies.slowSends.add(this.context, sending)) {
        const release = () => this.release(sending.connection.transport);
        sending.ended.then(release, release);
        return true;
      }
      milliseconds = NEXT_PLACE_MS;
    }
    return false;
  }

  private async connect(signal: AbortSignal): Promise<Transport> {
    const { transports, servers } = this.dependencies;
    this.credentials ??= this.mailbox.credentials;
    const transport = await transports.acquire(this.context.scope, this.credentials, { signal });
    this.progress.noteOpened(transport);
    if (transport.hasSession) servers.noteServed(this.context);
    return transport;
  }

  private async next(): Promise<ClaimedMessage | undefined> {
    while (!this.progress.isEnding) {
      if (this.options.stopping.aborted || performance.now() > this.deadline) {
        this.progress.noteTimeUp();
        return undefined;
      }
      const message = this.claims.take();
      if (this.claims.size < Math.min(this.options.maxConnections, this.progress.sent) && !this.claims.areOver)
        this.claims.addInAdvance(this.claimSize());
      if (message) return message;
      if (this.claims.areOver) this.progress.noteEmpty();
      else await this.claims.add(this.claimSize());
    }
    return undefined;
  }

  /** About what can be sent before the run ends, so that it returns few messages, and within two seconds. */
  private claimSize(): number {
    const left = Math.max(0, this.deadline - performance.now());
    const rate = this.progress.sent / (RUN_MS - left + 1);
    const sendable = Math.floor(rate * Math.min(left, CLAIM_MS));
    return Math.min(this.claims.maxSize, Math.max(this.options.maxConnections, sendable));
  }

  /** @param last the earlier message of the connection */
  private send(message: ClaimedMessage, transport: Transport | undefined, last: Sending | undefined): Sending {
    const connection = new MessageConnection(transport, (signal) => this.connect(signal));
    const decision = this.decisionOf(message, connection, last);
    const ended = this.record(message, decision);
    ended.catch((error: unknown) => this.fail(error));
    return { connection, replied: decision.then((known) => known !== 'failed', () => false), ended };
  }

  /** The lease is renewed until the result is recorded, or until it is known what becomes of a failed message. */
  private async record(message: ClaimedMessage, decided: Promise<SendDecision | 'failed' | undefined>): Promise<void> {
    const { results, leases } = this.dependencies;
    let decision: SendDecision | 'failed' | undefined;
    try {
      decision = await decided;
      if (decision === undefined || decision === 'failed') return;
      await results.record(this.context.scope, this.targetOf(message), decision);
      // The run has returned before these results came.
      const isUnconfirmed = decision.kind === 'uncertain' && this.progress.isUnconfirmed;
      if (this.progress.hasReturned && isUnconfirmed)
        await this.options.settleLate({ kind: 'unavailable', error: UNCONFIRMED });
    } finally {
      if (decision !== 'failed') leases.release(message.id);
    }
  }

  private targetOf(message: ClaimedMessage): SendTarget {
    return { ...message, email: message.contact.email, email_account_id: this.context.account_id };
  }

  /** @returns the decision; `failed` if the provider could not be used; undefined if the message is back in the queue */
  private async decisionOf(
    message: ClaimedMessage,
    connection: MessageConnection,
    last: Sending | undefined,
  ): Promise<SendDecision | 'failed' | undefined> {
    const begun = performance.now();
    try {
      await connection.open();
      const prepared = await this.dependencies.sender.prepare(this.context, message);
      // A connection has at most one result that is not recorded.
      await last?.ended.catch(() => undefined);
      if ('kind' in prepared) return prepared;
      // The server may have closed the connection after its reply to the last message.
      const transport = await connection.open();
      const decision = await this.dependencies.sender.transmit(prepared, transport);
      this.progress.noteDecision(decision, transport);
      if (hasReply(decision)) this.dependencies.servers.noteServed(this.context);
      return decision;
    } catch (error) {
      return this.afterError(message, {
        ...{ error, begun, isClosed: connection.isClosed },
        isOpening: connection.transport === undefined,
      });
    }
  }

  /** After an error no content was sent. Providers without a login step refuse the credentials together with the message. */
  private async afterError(
    message: ClaimedMessage,
    { error, begun, isClosed, isOpening }: AttemptError,
  ): Promise<'failed' | undefined> {
    const { results, servers } = this.dependencies;
    if (!isClosed && this.progress.noteFailed(message, error, isOpening)) {
      const isServed = servers.hasServedSince(this.context, begun);
      if (this.progress.hasReturned) await this.settleLate(isServed);
      return 'failed';
    }
    await results.requeue(this.context.scope, [message.id], isClosed ? UNTRIED : waitAfter(error));
    if (!isClosed) throw error;
    return undefined;
  }

  /** Settles messages that have failed after the run had returned. @param isServed the provider has served others meanwhile */
  private async settleLate(isServed: boolean): Promise<void> {
    for (const { message, end } of this.progress.takeFailed()) {
      const isReason = end.kind === 'login refused' || !isServed;
      await this.settleMessages([{ message, end }], isReason ? end : { kind: 'more' });
      if (isReason) await this.options.settleLate(end);
    }
  }

  /** Settles the messages that have failed in the run, which ends now. */
  private async settleFailed(end: RunEnd): Promise<void> {
    const failed = this.progress.takeFailed();
    if (failed.length === 0) return;
    this.learnSessions(failed);
    await this.settleMessages(failed, end);
  }

  /** A server that has served others takes fewer sessions than were opened. */
  private learnSessions(failed: readonly FailedMessage[]): void {
    const refused = failed.filter(({ is_opening: isOpening }) => isOpening).length;
    if (refused > 0 && this.progress.hasServed)
      this.dependencies.servers.noteSessions(this.context, this.options.maxConnections - refused);
  }

  /** An attempt was made only if the provider could not be used at all. Otherwise the messages are due as before. */
  private async settleMessages(failed: readonly FailedMessage[], end: RunEnd): Promise<void> {
    const { results, leases } = this.dependencies;
    const { scope } = this.context;
    try {
      const ids = failed.map(({ message }) => message.id);
      if (end.kind !== 'unavailable') await results.requeue(scope, ids, UNTRIED);
      else
        for (const { message } of failed) {
          const decision = decideUntaken(end.error.message, message.attempts + 1);
          await results.record(scope, this.targetOf(message), decision);
        }
    } finally {
      for (const { message } of failed) leases.release(message.id);
    }
  }

  /** When the time of the run is up, other runs may send what is claimed, also while its connections wait for servers. */
  private async releaseEarly(connections: readonly Promise<void>[]): Promise<void> {
    if (await endsWithin(Promise.allSettled(connections), RUN_MS)) return;
    this.progress.noteTimeUp();
    await this.claims.release();
  }
}

/** A message that cannot be processed is not tried again and again without a pause. */
const AFTER_ERROR: Wait = {
  reason: null,
  until: (scope) => sql`${scope.now} + make_interval(secs => ${LEASE_SECONDS})`,
};

/** The message is due now, and was not tried, even if the preflight check has counted an attempt. */
const UNTRIED: Wait = { ...NO_WAIT, refundsAttempt: true };

const waitAfter = (error: unknown): Wait => (error instanceof DatabaseUnavailable ? NO_WAIT : AFTER_ERROR);
