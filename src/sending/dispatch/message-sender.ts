import { Injectable } from '@nestjs/common';
import { campaignDay, earliestInstant } from '../../campaigns/index.js';
import { type ComposedMail, type MailProvider, utcDay } from '../../email-accounts/index.js';
import { RuleViolated } from '../../platform/errors/index.js';
import { LEASE_SECONDS } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Composer, type MailSender } from '../composing/index.js';
import { decideSend, type SendDecision } from '../results/index.js';
import { afterStop, contactRules, localDay } from '../rules/index.js';
import type { Transport } from '../transports/index.js';
import type { ClaimedMessage } from './claim.queries.js';
import { PreflightCheck } from './preflight-check.js';
import type { StopReason } from './preflight.queries.js';

/** The account that messages are sent from. */
export interface SendContext {
  readonly scope: WorkspaceScope;
  readonly sender: MailSender;
  readonly account_id: number;
  readonly provider: MailProvider;
}

/** One message on its way through the steps. */
export interface SendAttempt {
  readonly context: SendContext;
  readonly message: ClaimedMessage;
  readonly mail: ComposedMail;
  /** The latest time of which it is known that the message could be sent, as `performance.now()`. */
  checkedAt: number;
}

/**
 * If the server needs longer than this until it accepts content, everything is checked again: the campaign may have
 * been paused, the address blacklisted, or another worker may have taken the message from this one, which had stalled. So
 * it is when the day has changed for which the message is reserved in the daily limit.
 */
const RECHECK_AFTER_MS = 250;

/**
 * The path of one message, step by step in the order of the methods below. Each step returns the decision that ends the
 * attempt, or undefined to continue. Before the first step `claim` has checked, in one transaction, that the account is
 * active and under its daily limit, reserved that much of the limit and leased the message.
 */
@Injectable()
export class MessageSender {
  constructor(
    private readonly composer: Composer,
    private readonly preflight: PreflightCheck,
  ) {}

  /**
   * Takes one claimed message through the steps up to the preflight check.
   * @returns the message to {@link transmit}, or the decision not to
   * @throws DatabaseUnavailable
   */
  async prepare(context: SendContext, message: ClaimedMessage): Promise<SendAttempt | SendDecision> {
    if (!mayBeComposed(context, message)) return { kind: 'waiting' };
    const mail = await this.compose(context, message);
    if (mail instanceof Error) return { kind: 'unsendable', reason: mail.message };
    const attempt = { context, message, mail, checkedAt: performance.now() };
    return (await this.checkPreflight(attempt)) ?? attempt;
  }

  /** Stops a message that exceeds a limit of templates or of rendered text, which no retry changes. */
  private async compose({ scope, sender }: SendContext, message: ClaimedMessage): Promise<ComposedMail | Error> {
    try {
      return await this.composer.compose(scope, sender, message);
    } catch (error) {
      if (error instanceof RuleViolated) return error;
      throw error;
    }
  }

  /** Stops a message for any of the reasons in {@link decisionOf}; otherwise it is `sending` from here on. */
  private async checkPreflight(attempt: SendAttempt): Promise<SendDecision | undefined> {
    const { context, message, mail, checkedAt: startedAt } = attempt;
    const day = localDay(message.schedule, context.scope.clock.now());
    const candidate = {
      id: message.id,
      message_id: mail.message_id,
      subject: mail.subject,
      day,
      has_gap: message.gap_of !== null,
      checked_contact: message.leaves_days ? message.contact_id : null,
    };
    const stop = await this.preflight.run(context.scope, candidate);
    const hasStalled = performance.now() - startedAt > LEASE_SECONDS * 1000;
    attempt.checkedAt = hasStalled ? -Infinity : performance.now();
    return stop === null ? undefined : decisionOf(stop);
  }

  /**
   * Sends the message, unless it must not be sent when the server is ready for its content or for its end.
   * @returns the decision, which the caller records
   * @throws Error only if no content was sent: LoginRefused if the provider refuses the account instead of the message,
   *   ProviderUnavailable if it is not reachable, DatabaseUnavailable if a check cannot be made
   */
  async transmit(attempt: SendAttempt, transport: Transport): Promise<SendDecision> {
    const { context, message, mail } = attempt;
    let { checkedAt } = attempt;
    const mayContinue = async (): Promise<boolean> => {
      if (performance.now() - checkedAt < RECHECK_AFTER_MS && isOnItsDays(message, context.scope.clock.now()))
        return true;
      checkedAt = performance.now();
      return this.preflight.isStillAllowed(context.scope, { id: message.id, has_gap: message.gap_of !== null });
    };
    const result = await transport.send(mail, { mayContinue, isRepeated: message.uncertain_attempts > 0 });
    return decideSend(result, message.attempts + 1, context.provider);
  }
}

/** Whether the rules allow a message now, by what the claim has read. */
function mayBeComposed({ scope }: SendContext, message: ClaimedMessage): boolean {
  const campaign = { status: 'active', schedule: message.schedule, min_days_since_last_message: null } as const;
  return earliestInstant(scope.clock.now(), contactRules(campaign, message)).reason === null;
}

/** Whether a message is still reserved for the day: in the daily limit of its account, and among the new contacts. */
const isOnItsDays = ({ reserved_on: day, new_on: newOn, schedule }: ClaimedMessage, now: Date): boolean =>
  utcDay(now) === day && (newOn === null || campaignDay(schedule, now) === newOn);

/** Returns the decision for each reason of the preflight check. */
function decisionOf(stop: StopReason): SendDecision {
  switch (stop) {
    case 'lost':
      return { kind: 'lost' };
    case 'bounced':
    case 'blacklisted':
      return { kind: 'cancelled', reason: stop };
    case 'complained':
    case 'unsubscribed':
      return { kind: 'cancelled', reason: 'unsubscribed' };
    case 'ended':
      return { kind: 'cancelled', reason: 'skipped' };
    case 'contact busy':
      return { kind: 'stopped' };
    default:
      return afterStop(stop) === 'waiting' ? { kind: 'waiting', reason: stop } : { kind: 'stopped' };
  }
}
