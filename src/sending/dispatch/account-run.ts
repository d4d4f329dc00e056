import { Injectable } from '@nestjs/common';
import type { Mailbox, MailboxCredentials } from '../../email-accounts/index.js';
import { DatabaseUnavailable, sql } from '../../platform/database/index.js';
import { LEASE_SECONDS } from '../../platform/queue/index.js';
import {
  decideSend,
  NO_WAIT,
  PendingResults,
  type SendDecision,
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
import { RunProgress, UNCONFIRMED } from './run-progress.js';
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

/** A message on its way, until its result is recorded. */
interface Sending extends SlowSend {
  /** The server has replied. */
  readonly replied: Promise<unknown>;
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
    await this.claims.end();
    const end = this.progress.complete();
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
        if (!transport) break;
      }
    } catch (error) {
      this.progress.endWith({ kind: 'more' });
      throw error;
    } finally {
      if (last && (await this.isLeft(last, last.ended))) transport = undefined;
      this.release(transport);
    }
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.progress.endWith({ kind: 'more' });
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
    this.credentials ??= this.mailbox.credentials;
    return this.dependencies.transports.acquire(this.context.scope, this.credentials, { signal });
  }

  private async next(): Promise<ClaimedMessage | undefined> {
    while (!this.progress.end) {
      if (this.options.stopping.aborted || performance.now() > this.deadline) {
        this.progress.endWith({ kind: 'more' });
        return undefined;
      }
      const message = this.claims.take();
      if (this.claims.size < Math.min(this.options.maxConnections, this.progress.sent) && !this.claims.areOver)
        this.claims.addInAdvance(this.claimSize());
      if (message) return message;
      if (this.claims.areOver) this.progress.endWith({ kind: 'done' });
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
    return { connection, replied: decision.catch(() => undefined), ended };
  }

  /** The lease is renewed until the result is recorded. */
  private async record(message: ClaimedMessage, decided: Promise<SendDecision | undefined>): Promise<void> {
    const { results, leases } = this.dependencies;
    try {
      const decision = await decided;
      const { scope, account_id: email_account_id } = this.context;
      if (decision)
        await results.record(scope, { ...message, email: message.contact.email, email_account_id }, decision);
      // The run has returned before these results came.
      if (this.progress.hasReturned && decision?.kind === 'uncertain' && this.progress.isUnconfirmed)
        await results.recordUnreachable(scope, email_account_id, UNCONFIRMED.message);
    } finally {
      leases.release(message.id);
    }
  }

  /** After an error no content was sent: the message goes back to the queue. */
  private async decisionOf(
    message: ClaimedMessage,
    connection: MessageConnection,
    last: Sending | undefined,
  ): Promise<SendDecision | undefined> {
    const { sender } = this.dependencies;
    if (!(await this.connectFor(message, connection))) return undefined;
    try {
      const prepared = await sender.prepare(this.context, message);
      // A connection has at most one result that is not recorded.
      await last?.ended.catch(() => undefined);
      if ('kind' in prepared) return prepared;
      // The server may have closed the connection after its reply to the last message.
      const transport = await connection.open();
      const decision = await sender.transmit(prepared, transport);
      this.progress.noteDecision(decision, transport);
      return decision;
    } catch (error) {
      // Providers without a login step refuse the credentials together with the message, or cannot be reached for it.
      const end = this.progress.noteError(error);
      if (end?.kind === 'unavailable' && this.progress.hasReturned) return this.failedAttempt(message, end.error);
      await this.dependencies.results.requeue(this.context.scope, [message.id], end ? UNTRIED : waitAfter(error));
      if (!end) throw error;
      return undefined;
    }
  }

  /** Without a connection to the provider the message goes back to the queue as it was, and the run ends. @returns whether there is one */
  private async connectFor({ id }: ClaimedMessage, connection: MessageConnection): Promise<boolean> {
    try {
      await connection.open();
      return true;
    } catch (error) {
      const end = connection.isClosed ? undefined : this.progress.noteError(error);
      const isExpected = end !== undefined || connection.isClosed;
      await this.dependencies.results.requeue(this.context.scope, [id], isExpected ? NO_WAIT : waitAfter(error));
      if (!isExpected) throw error;
      // If other connections of the run have sent messages, the server serves the account.
      const isReason = end?.kind === 'login refused' || this.progress.sent === 0;
      if (end && isReason && this.progress.hasReturned) await this.options.settleLate(end);
      return false;
    }
  }

  /** The decision on a message whose run cannot report the outage any more: it waits for its next attempt by itself. */
  private failedAttempt({ attempts }: ClaimedMessage, { message: reason }: Error): SendDecision {
    return decideSend({ kind: 'lost', uncertain: false, reason }, attempts + 1, this.context.provider);
  }

  /** When the time of the run is up, other runs may send what is claimed, also while its connections wait for servers. */
  private async releaseEarly(connections: readonly Promise<void>[]): Promise<void> {
    if (await endsWithin(Promise.allSettled(connections), RUN_MS)) return;
    this.progress.endWith({ kind: 'more' });
    await this.claims.release();
  }
}

/** A message that cannot be processed is not tried again and again without a pause. */
const AFTER_ERROR: Wait = {
  reason: null,
  until: (scope) => sql`${scope.now} + make_interval(secs => ${LEASE_SECONDS})`,
};

/** The preflight check has counted the attempt. If the account is unavailable, it counts with those of the other due messages. */
const UNTRIED: Wait = { ...NO_WAIT, refundsAttempt: true };

const waitAfter = (error: unknown): Wait => (error instanceof DatabaseUnavailable ? NO_WAIT : AFTER_ERROR);
