import { DatabaseUnavailable } from '@outreach/database';
import { LEASE_SECONDS } from '@outreach/job-queue';
import type { MailboxCredentials } from '../../email-accounts/index.js';
import { sql } from '../../platform/database/index.js';
import { NO_WAIT, type SendDecision, type Wait } from '../results/index.js';
import type { Transport } from '../transports/index.js';
import type { SendAttempt } from '../pipeline.js';
import type { ClaimedMessage } from './claim.queries.js';
import { MessageConnection } from './message-connection.js';
import type { RunEnd } from './run-end.js';
import { hasReply, RunProgress } from './run-progress.js';
import type { RunContext, RunDependencies, RunOptions } from './run-context.js';
import { RunSettlement, UNTRIED } from './run-settlement.js';
import { endsWithin, type SlowSend } from './slow-sends.js';

/** For how long a run claims messages, and waits for one of them. */
const RUN_MS = 5_000;
/** When a run whose messages are still on their way lets other workers send from its account. */
const RELEASE_MS = 7_000;
/** How often a run asks for a place for a slow message. */
const NEXT_PLACE_MS = 1_000;
/** A run claims about as many messages at a time as it sends in this time. */
const CLAIM_MS = 2_000;

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
  private failure: { readonly error: unknown } | undefined;
  private credentials: MailboxCredentials | undefined;
  private readonly progress: RunProgress;
  private readonly settlement: RunSettlement;
  private readonly begun = performance.now();
  private readonly deadline = this.begun + RUN_MS;
  /** Results that are recorded, and not logged yet. */
  private readonly recorded = { sent: 0, failed: 0 };

  constructor(
    private readonly context: RunContext,
    private readonly dependencies: RunDependencies,
    private readonly options: RunOptions,
  ) {
    const { mailbox } = context;
    // With a gap, a run has one message, and the gap limits how many become uncertain.
    this.progress = new RunProgress(context.provider, mailbox.is_one_by_one ? Infinity : options.maxConnections);
    const othersInUse = () => dependencies.slowSends.connections(context.scope, context.account_id, this);
    this.settlement = new RunSettlement(context, this.progress, dependencies, { ...options, othersInUse });
  }

  private get claims(): RunContext['claims'] {
    return this.context.claims;
  }

  /** Sends until the run ends, then puts back what is still claimed. Throws the first failure after that. */
  async run(): Promise<RunEnd> {
    const { transactions } = this.dependencies;
    const connections = Array.from({ length: this.options.maxConnections }, () =>
      transactions.whileBusy(() => this.sendOnOneConnection()),
    );
    const settled = await Promise.allSettled([...connections, this.releaseEarly(connections)]);
    if (performance.now() > this.deadline && !this.claims.areOver)
      this.dependencies.servers.noteMessages(this.context, this.progress.sent);
    const end = await this.settle();
    if (this.progress.hasServed) this.options.log.restored(this.context.mailbox.server);
    this.logRecorded();
    for (const connection of settled) if (connection.status === 'rejected') throw connection.reason;
    if (this.failure) throw this.failure.error;
    return end.kind === 'done' && this.claims.isMoreDue ? { kind: 'more' } : end;
  }

  private async settle(): Promise<RunEnd> {
    try {
      return await this.settlement.atReturn();
    } finally {
      // Before the lease ends: another worker may send next, and needs the places at the server.
      if (this.claims.hasOtherWorkers && this.credentials)
        this.dependencies.transports.closeIdle(this.context.scope, this.credentials);
      await this.claims.end();
    }
  }

  private async sendOnOneConnection(): Promise<void> {
    let transport: Transport | undefined;
    let last: Sending | undefined;
    try {
      for (let message = await this.next(); message; message = await this.next()) {
        const sending = this.send(message, transport, last);
        // With a gap, the next claim depends on the result.
        const isLeft = await this.isLeft(sending, this.context.mailbox.is_one_by_one ? sending.ended : sending.replied);
        last = isLeft ? undefined : sending;
        transport = last?.connection.transport;
        if (!transport || !(await sending.replied)) break;
      }
    } catch (error) {
      this.progress.note('time up');
      throw error;
    } finally {
      if (last && (await this.isLeft(last, last.ended))) transport = undefined;
      this.release(transport);
    }
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.progress.note('time up');
  }

  private release(transport: Transport | undefined): void {
    if (!transport || !this.credentials) return;
    if (this.progress.hasReturned && this.claims.hasOtherWorkers) transport.close();
    else this.dependencies.transports.release(this.context.scope, this.credentials, transport);
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
    this.credentials ??= this.context.mailbox.credentials;
    const transport = await transports.acquire(this.context.scope, this.credentials, { signal });
    this.progress.noteOpened(transport);
    if (transport.hasSession) servers.noteServed(this.context);
    try {
      if (this.progress.hasReturned) await this.settlement.late();
    } catch (error) {
      transport.close();
      throw error;
    }
    return transport;
  }

  private async next(): Promise<ClaimedMessage | undefined> {
    while (!this.progress.isEnding) {
      if (this.options.stopping.aborted || performance.now() > this.deadline) {
        this.progress.note('time up');
        return undefined;
      }
      const message = this.claims.take();
      const few = Math.min(this.options.maxConnections, this.progress.sent, this.expected);
      if (this.claims.size < few && !this.claims.areOver) this.claims.addInAdvance(this.claimSize());
      if (message) return message;
      if (this.claims.areOver) this.progress.note('nothing due');
      else await this.claims.add(this.claimSize());
    }
    return undefined;
  }

  /** How many more messages this run claims to send as many as the last one; Infinity if that is unknown. */
  private get expected(): number {
    return this.dependencies.servers.messagesPerRun(this.context) - this.claims.total;
  }

  /** What the last run has sent, or else about what can be sent within two seconds, so that the run returns few messages. */
  private claimSize(): number {
    const left = Math.max(0, this.deadline - performance.now());
    const rate = this.progress.sent / (RUN_MS - left + 1);
    const isKnown = this.expected > 0 && this.expected < Infinity;
    const sendable = isKnown ? this.expected : Math.floor(rate * Math.min(left, CLAIM_MS));
    return Math.min(this.claims.maxSize, Math.max(this.options.maxConnections, sendable));
  }

  /** @param last the earlier message of the connection */
  private send(message: ClaimedMessage, transport: Transport | undefined, last: Sending | undefined): Sending {
    const connection = new MessageConnection(transport, (signal) => this.connect(signal));
    const decision = this.decisionOf({ context: this.context, message, connection, lastResult: last?.ended });
    const ended = this.record(message, decision);
    ended.catch((error: unknown) => this.fail(error));
    return {
      run: this,
      connection,
      replied: decision.then(
        (known) => known !== 'failed',
        () => false,
      ),
      ended,
    };
  }

  /** The lease is renewed until the result is recorded, or until it is known what becomes of a failed message. */
  private async record(message: ClaimedMessage, decided: Promise<SendDecision | 'failed' | undefined>): Promise<void> {
    const { pipeline, leases } = this.dependencies;
    let decision: SendDecision | 'failed' | undefined;
    try {
      decision = await decided;
      if (decision === undefined || decision === 'failed') return;
      await pipeline.record(this.context, message, decision);
      if (decision.kind === 'sent') this.recorded.sent += 1;
      else if (FAILED.has(decision.kind)) this.recorded.failed += 1;
      if (this.progress.hasReturned) this.logRecorded();
    } finally {
      if (decision !== 'failed') leases.release(message.id);
      if (this.progress.hasReturned) await this.settlement.late();
    }
  }

  /** One line for the messages of a run, and one for each whose server has replied later. */
  private logRecorded(): void {
    const { sent, failed } = this.recorded;
    if (sent + failed === 0) return;
    const { mailbox } = this.context;
    const duration = Math.round(performance.now() - this.begun);
    this.options.log.info('messages sent', { email_account_id: mailbox.id, sent, failed, duration_ms: duration });
    Object.assign(this.recorded, { sent: 0, failed: 0 });
  }

  /** @returns the decision; `failed` if the provider could not be used; undefined if the message is back in the queue */
  private async decisionOf(attempt: SendAttempt): Promise<SendDecision | 'failed' | undefined> {
    try {
      return await this.attempt(attempt);
    } catch (error) {
      return await this.afterError(attempt, error);
    }
  }

  private async attempt(attempt: SendAttempt): Promise<SendDecision> {
    this.progress.note('begin');
    try {
      const { step, decision } = await this.dependencies.pipeline.send(attempt);
      if (step !== 'transmit' || !attempt.transport) return decision;
      this.progress.noteDecision(decision, attempt.transport);
      if (hasReply(decision)) this.dependencies.servers.noteServed(this.context);
      return decision;
    } finally {
      this.progress.noteEnded();
    }
  }

  /** After an error no content was sent. Providers without a login step refuse the credentials together with the message. */
  private async afterError({ message, connection }: SendAttempt, error: unknown): Promise<'failed' | undefined> {
    const { isClosed, transport } = connection;
    if (!isClosed && this.progress.noteFailed(message, error, transport === undefined)) return 'failed';
    await this.dependencies.results.requeue(this.context.scope, [message.id], isClosed ? UNTRIED : waitAfter(error));
    if (!isClosed) throw error;
    return undefined;
  }

  /** Some time after that of the run is up, others may send what is claimed, also while its connections wait for servers. */
  private async releaseEarly(connections: readonly Promise<void>[]): Promise<void> {
    if (await endsWithin(Promise.allSettled(connections), RELEASE_MS)) return;
    this.progress.note('time up');
    await this.claims.release();
  }
}

/** What a message is that is not sent, and not tried again. */
const FAILED: ReadonlySet<SendDecision['kind']> = new Set(['failed', 'bounced', 'unsendable']);

/** A message that cannot be processed is not tried again and again without a pause. */
const AFTER_ERROR: Wait = {
  reason: null,
  until: (scope) => sql`${scope.now} + make_interval(secs => ${LEASE_SECONDS})`,
};

const waitAfter = (error: unknown): Wait => (error instanceof DatabaseUnavailable ? NO_WAIT : AFTER_ERROR);
