import { type MailProvider, ProviderUnavailable } from '../../email-accounts/index.js';
import { LIMIT_AFTER_DEFERRED, type SendDecision } from '../results/index.js';
import type { Transport } from '../transports/index.js';
import { type RunEnd, runEndOf } from './run-end.js';

/** How far a run on an account has come: how many messages it has sent, and why it ends. */
export class RunProgress {
  private ending: RunEnd | undefined;
  private total = 0;
  /** How many results in a row were uncertain, of a transport without a session. */
  private uncertain = 0;
  /** How many results in a row may be a limit of the account. */
  private deferred = 0;
  /** The server limits the sessions of the account: a reason to end the run only if it has none. */
  private sessionLimit: RunEnd | undefined;
  private isOver = false;

  /** @param maxUncertain how many uncertain results in a row end the run, if no session does */
  constructor(
    private readonly provider: MailProvider,
    private readonly maxUncertain: number,
  ) {}

  /** Why the run ends; undefined while it goes on. */
  get end(): RunEnd | undefined {
    return this.ending;
  }

  get sent(): number {
    return this.total;
  }

  /** Whether the run has returned: what comes later is not part of its result. */
  get hasReturned(): boolean {
    return this.isOver;
  }

  /** Whether the results in a row that end a run are uncertain now. */
  get isUnconfirmed(): boolean {
    return this.uncertain === this.maxUncertain;
  }

  /** Ends the run, unless it has ended. */
  endWith(end: RunEnd): void {
    this.ending ??= end;
  }

  /** @returns the end of the run, which returns now */
  complete(): RunEnd {
    this.isOver = true;
    if (this.sessionLimit && this.total === 0) return this.sessionLimit;
    return this.ending ?? { kind: 'done' };
  }

  /**
   * Ends the run if the provider has refused the account, or cannot be used. A connection may take longer to fail than the
   * run: if another one has sent messages, that is no reason to end it so.
   * @returns the end for which this error is a reason; undefined if it is not the provider's
   */
  noteError(error: unknown): RunEnd | undefined {
    const end = runEndOf(error, this.provider);
    const isOvertaken = end?.kind === 'unavailable' && this.ending && (this.ending.kind !== 'more' || this.total > 0);
    if (end?.kind === 'limited') this.sessionLimit = end;
    else if (end && !isOvertaken) this.ending = end;
    return end;
  }

  /**
   * A limit of the account ends the run. So do several results in a row that are probably one, and, without a session that a
   * lost response would close, several uncertain ones.
   */
  noteDecision(decision: SendDecision, { hasSession }: Pick<Transport, 'hasSession'>): void {
    this.deferred = decision.kind === 'later' && decision.may_be_limit ? this.deferred + 1 : 0;
    this.uncertain = decision.kind === 'uncertain' && !hasSession ? this.uncertain + 1 : 0;
    if (decision.kind === 'limited') this.ending = decision;
    else if (this.deferred >= LIMIT_AFTER_DEFERRED) this.ending = { kind: 'limited', limit: 'rate' };
    else if (this.uncertain >= this.maxUncertain) this.endWith({ kind: 'unavailable', error: UNCONFIRMED });
    else this.total += 1;
  }
}

export const UNCONFIRMED = new ProviderUnavailable('SendGrid does not confirm emails.');
