import { earliestInstant } from '@outreach/time-windows';
import { Injectable } from '@nestjs/common';
import { LEASE_SECONDS } from '@outreach/job-queue';
import { RuleViolated } from '@outreach/http-errors';
import type { ComposedMail, MailProvider } from '../email-accounts/index.js';

import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { Composer, type MailSender } from './composing/index.js';
import { type ClaimedMessage, claim } from './dispatch/claim.queries.js';
import type { MessageConnection } from './dispatch/message-connection.js';
import { PreflightCheck } from './dispatch/preflight-check.js';
import { decideSend, PendingResults, type SendDecision } from './results/index.js';
import { campaignDay, contactRules, isReservedAt, isReservedFor } from './rules/index.js';
import { decisionAfter } from './stop-reasons.js';
import type { Transport } from './transports/index.js';

/**
 * The way of a message that planning has queued for an account. Each step continues or stops with a decision, which
 * {@link MessagePipeline.record} writes; `feedback/` records what is reported later.
 */
export const PIPELINE = {
  /** SQL decides it for many messages at a time: they are leased and count in the limits of their account, or wait. */
  claim,
  /** What one claimed message passes, in this order: methods of {@link MessagePipeline}, each of which may stop it. */
  attempt: [
    'connect',
    'checkRules',
    'compose',
    // Composing may have taken long.
    'checkRules',
    /** SQL decides it, and sets the message to `sending`. */
    'checkPreflight',
    'awaitLastResult',
    // The server may have closed the connection after its reply to the last message.
    'connect',
    'transmit',
  ],
} as const;

/** The account that messages are sent from. */
export interface SendContext {
  readonly scope: WorkspaceScope;
  readonly sender: MailSender;
  readonly account_id: number;
  readonly provider: MailProvider;
}

/** One attempt to send a message, on its way through the steps. */
export interface SendAttempt {
  readonly context: SendContext;
  readonly message: ClaimedMessage;
  readonly connection: MessageConnection;
  /** Of the message before on the connection: settles when it is recorded. */
  readonly lastResult: Promise<void> | undefined;
  /** Since {@link MessagePipeline.connect}. */
  transport?: Transport;
  /** Since {@link MessagePipeline.compose}. */
  mail?: ComposedMail;
  /** The latest time of which it is known that the message could be sent, as `performance.now()`. */
  checkedAt?: number;
}

/**
 * If the server needs longer than this until it accepts content, everything is checked again: the campaign may have
 * been paused, the address blacklisted, or another worker may have taken the message from this one, which had stalled. So
 * it is when the day has changed for which the message is reserved.
 */
const RECHECK_AFTER_MS = 250;

/** The steps of {@link PIPELINE} that one message passes, in their order. */
@Injectable()
export class MessagePipeline {
  constructor(
    private readonly composer: Composer,
    private readonly preflight: PreflightCheck,
    private readonly results: PendingResults,
  ) {}

  /**
   * Takes one claimed message through the steps of an attempt: each returns the decision that ends it, or undefined.
   * @returns the decision, and the step that made it
   * @throws Error only if no content was sent: LoginRefused if the provider refuses the account instead of the message,
   *   ProviderUnavailable if it is not reachable, DatabaseUnavailable if a check cannot be made
   */
  async send(attempt: SendAttempt): Promise<{ step: (typeof PIPELINE.attempt)[number]; decision: SendDecision }> {
    for (const step of PIPELINE.attempt) {
      const decision = await this[step](attempt);
      if (!decision) continue;
      await this.awaitLastResult(attempt);
      return { step, decision };
    }
    throw new Error('The last step of the pipeline has made no decision.');
  }

  /** Takes the connection of the message before, or opens one. Never stops. @throws LoginRefused, ProviderUnavailable */
  async connect(attempt: SendAttempt): Promise<undefined> {
    attempt.transport = await attempt.connection.open();
  }

  /** Stops a message that the rules do not allow now, by what the claim has read. */
  checkRules({ context, message }: SendAttempt): SendDecision | undefined {
    if (message.reply_id !== null) return undefined;
    const { reason } = earliestInstant(context.scope.clock.now(), contactRules(message, message));
    return reason === null ? undefined : { kind: 'waiting', reason };
  }

  /** Stops a message that exceeds a limit of templates or of rendered text, which no retry changes. */
  async compose(attempt: SendAttempt): Promise<SendDecision | undefined> {
    const { context, message } = attempt;
    try {
      attempt.mail = await this.composer.compose(context.scope, context.sender, message);
    } catch (error) {
      if (error instanceof RuleViolated) return { kind: 'unsendable', reason: error.message };
      throw error;
    }
    attempt.checkedAt = performance.now();
    return undefined;
  }

  /** Stops a message for any reason that the tables have by now; otherwise it is `sending` from here on. */
  async checkPreflight(attempt: SendAttempt): Promise<SendDecision | undefined> {
    const { context, message } = attempt;
    const [mail, startedAt] = [setBefore(attempt.mail), setBefore(attempt.checkedAt)];
    const stop = await this.preflight.run(context.scope, {
      id: message.id,
      message_id: mail.message_id,
      subject: mail.subject,
      day: campaignDay(message.schedule, context.scope.clock.now()),
      bound_by: message.bound_by,
      checked_contact: message.checks_one_by_one ? message.contact_id : null,
    });
    const hasStalled = performance.now() - startedAt > LEASE_SECONDS * 1000;
    attempt.checkedAt = hasStalled ? -Infinity : performance.now();
    return stop === null ? undefined : decisionAfter(stop);
  }

  /** Never stops. A connection has at most one result that is not recorded. */
  async awaitLastResult({ lastResult }: SendAttempt): Promise<undefined> {
    await lastResult?.catch(() => undefined);
  }

  /** Sends the message, unless it must not be sent when the server is ready for its content or for its end. */
  async transmit(attempt: SendAttempt): Promise<SendDecision> {
    const { context, message } = attempt;
    let checkedAt = setBefore(attempt.checkedAt);
    const mayContinue = async (): Promise<boolean> => {
      if (performance.now() - checkedAt < RECHECK_AFTER_MS && isOnItsDays(message, context.scope.clock.now()))
        return true;
      checkedAt = performance.now();
      return this.preflight.isStillAllowed(context.scope, message);
    };
    const options = { mayContinue, isRepeated: message.uncertain_attempts > 0 };
    const result = await setBefore(attempt.transport).send(setBefore(attempt.mail), options);
    return decideSend(result, message.attempts + 1, context.provider);
  }

  /** Writes a decision with everything that follows from it, or stores it in memory while the database accepts nothing. */
  record(
    { scope, account_id: accountId }: SendContext,
    message: ClaimedMessage,
    decision: SendDecision,
  ): Promise<void> {
    const target = { ...message, email: message.contact.email, email_account_id: accountId };
    return this.results.record(scope, target, decision);
  }
}

/** Returns what an earlier step has set. */
function setBefore<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A step of the pipeline runs before the step that it needs.');
  return value;
}

/** Whether a message is still reserved for the day. */
const isOnItsDays = (message: ClaimedMessage, now: Date): boolean =>
  isReservedFor(message.reserved_on, now) && isReservedAt(message, message, now);
