import { type LoginRefused, ProviderUnavailable, SmtpUnavailable } from '@outreach/mail-sessions';
import type { MailProvider } from '../../email-accounts/index.js';
import { stateAfter } from '../../platform/concurrency/index.js';
import { LIMIT_AFTER_DEFERRED, type SendDecision } from '../results/index.js';
import type { Transport } from '../transports/index.js';
import type { ClaimedMessage } from './claim.queries.js';
import { type ProviderFailure, providerFailureOf, type RunEnd } from './run-end.js';
import { RUN_TRANSITIONS, type RunEvent, type RunState } from './run-state.js';

/** A message whose provider could not be used when it was its turn. */
export interface FailedMessage {
  readonly message: ClaimedMessage;
  readonly end: ProviderFailure;
}

/**
 * What has happened in a run on an account. Everything that it returns follows from the facts, whichever of the connections
 * was first: a login that is refused goes before a limit, that before a provider that cannot be used, and that before
 * an empty queue.
 *
 * A connection that cannot be opened while the provider serves others is one too many, and no attempt for its message. So
 * what becomes of these messages is known when the run ends, or if none is served until then, when one is, or the last attempt
 * has ended.
 */
export class RunProgress {
  private readonly failed: FailedMessage[] = [];
  private loginRefused: LoginRefused | undefined;
  /** What a reply to a message says. */
  private limited: ProviderFailure | undefined;
  /** How many results were uncertain, of a transport without a session. */
  private uncertain = 0;
  /** How many results in a row may be a limit of the account. */
  private deferred = 0;
  private state: RunState = 'sending';
  /** How many results are known. */
  sent = 0;
  /** Whether the provider has replied to a message, or opened a session. */
  hasServed = false;
  /** How many sessions the server has refused, or ended before they were open. */
  refusedSessions = 0;
  /** How many attempts are in progress. */
  pending = 0;

  /** @param maxUncertain how many uncertain results end the run, if no session does */
  constructor(
    private readonly provider: MailProvider,
    private readonly maxUncertain: number,
  ) {}

  /** Whether connections begin no other message. */
  get isEnding(): boolean {
    return this.state !== 'sending';
  }

  /** Whether the run has returned: what comes later is not part of its result. */
  get hasReturned(): boolean {
    return this.state === 'returned' || this.state === 'returned empty';
  }

  /** Whether the provider has not confirmed messages, too often. */
  private get isUnconfirmed(): boolean {
    return this.uncertain >= this.maxUncertain;
  }

  /** @throws Error if the event cannot happen in the state of the run */
  note(event: RunEvent): void {
    this.state = stateAfter(RUN_TRANSITIONS, this.state, event);
    if (event === 'begin') this.pending += 1;
  }

  /** What has become of an attempt is known, or was noted. */
  noteEnded(): void {
    this.pending -= 1;
  }

  /** A transport is open. Without a session, that says nothing about the provider. */
  noteOpened({ hasSession }: Pick<Transport, 'hasSession'>): void {
    if (hasSession) this.hasServed = true;
  }

  /**
   * Notes that the provider could not be used for a message.
   * @param isOpening no session was opened for it
   * @returns false if the error is not the provider's
   */
  noteFailed(message: ClaimedMessage, error: unknown, isOpening: boolean): boolean {
    const end = providerFailureOf(error, this.provider);
    if (!end) return false;
    if (end.kind === 'login refused') {
      this.loginRefused ??= end.error;
      this.note('stop');
    }
    if (isOpening && isServersAnswer(end)) this.refusedSessions += 1;
    this.failed.push({ message, end });
    return true;
  }

  /** A limit of the account ends the run. So do several results in a row that are probably one. */
  noteDecision(decision: SendDecision, { hasSession }: Pick<Transport, 'hasSession'>): void {
    this.deferred = decision.kind === 'later' && decision.may_be_limit ? this.deferred + 1 : 0;
    if (decision.kind === 'uncertain' && !hasSession) this.uncertain += 1;
    else if (hasReply(decision)) this.hasServed = true;
    if (decision.kind === 'limited') this.limited = decision;
    else if (this.deferred >= LIMIT_AFTER_DEFERRED) this.limited = { kind: 'limited', limit: 'rate' };
    else this.sent += 1;
    if (this.limited || this.isUnconfirmed) this.note('stop');
  }

  /**
   * Returns the end of the run by what is known until now.
   * @param isServed the provider has served other messages of the account meanwhile
   */
  end(isServed: boolean): RunEnd {
    if (this.loginRefused) return { kind: 'login refused', error: this.loginRefused };
    if (this.limited) return this.limited;
    if (!this.hasServed && !isServed && this.pending === 0) {
      const ends = this.failed.map(({ end }) => end);
      const failure = ends.find(({ kind }) => kind === 'limited') ?? ends[0];
      if (failure) return failure;
      if (this.isUnconfirmed)
        return {
          kind: 'unavailable',
          error: new ProviderUnavailable(`${this.provider.name} does not confirm emails.`),
        };
    }
    const isEmpty = this.state === 'empty' || this.state === 'returned empty';
    return { kind: isEmpty && this.failed.length === 0 ? 'done' : 'more' };
  }

  /** Returns the failed messages that were not returned before. */
  takeFailed(): FailedMessage[] {
    return this.failed.splice(0);
  }
}

/** Unlike the answer of another server, such as that of an access token. */
const isServersAnswer = (end: ProviderFailure): boolean =>
  end.kind === 'limited' || (end.kind === 'unavailable' && end.error instanceof SmtpUnavailable);

const REPLIES: ReadonlySet<SendDecision['kind']> = new Set(['sent', 'later', 'limited', 'failed', 'bounced']);

/** Whether a decision follows from a reply of the provider. */
export const hasReply = ({ kind }: SendDecision): boolean => REPLIES.has(kind);
