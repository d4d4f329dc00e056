import type { ComposedMail } from '../../email-accounts/index.js';
import { insideSchedule } from '../../campaigns/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { RenderedTooLong } from '../../templates/index.js';
import type { Transport } from '../transports/index.js';
import type { MessageLinks } from '../message-links.js';
import type { ClaimedMessage } from './claim.queries.js';
import { compose, type Sender } from '../composing/compose.js';
import type { MessageLeases } from './message-leases.js';
import { isStillAllowed } from './preflight.queries.js';
import type { SendResults } from '../results/send-results.js';
import { Tracking } from '../composing/tracking.js';
import { decideSend } from '../results/send-decision.js';
import type { Batches } from './workspace-batches.js';

/** What all hand-overs from one account have in common. */
export interface SendContext {
  readonly scope: WorkspaceScope;
  readonly account_id: number;
  readonly sender: Sender;
  readonly batches: Batches;
  readonly results: SendResults;
  readonly links: MessageLinks;
  readonly leases: MessageLeases;
}

/** One message on its way through the steps. */
interface SendAttempt {
  readonly context: SendContext;
  readonly message: ClaimedMessage;
  readonly transport: Transport;
  readonly mail: ComposedMail;
}

/** A step either lets the message go on, or has written down why it stopped. */
type Step = (attempt: SendAttempt) => Promise<'go on' | 'stopped'>;

/**
 * The way of a claimed message; the account's activity and daily limit were settled by the claim. `stillWanted` is one
 * statement for campaign, enrollment, contact and blacklist, right before the hand-over.
 */
const STEPS: readonly Step[] = [onSchedule, preflight, send];

/** Takes one message through all steps. A failure of the database escapes; leases bring the message back. */
export async function sendMessage(context: SendContext, message: ClaimedMessage, transport: Transport): Promise<void> {
  const mail = composeOrError(context, message);
  if (mail instanceof RenderedTooLong)
    return context.results.failed(context.scope, context.account_id, [message.id], mail.message);
  const attempt = { context, message, transport, mail };
  for (const step of STEPS) if ((await step(attempt)) === 'stopped') return;
}

/** The mail, or why there can be none, now and on every other try. */
function composeOrError(context: SendContext, message: ClaimedMessage): ComposedMail | RenderedTooLong {
  try {
    return composed(context, message);
  } catch (error) {
    if (error instanceof RenderedTooLong) return error;
    throw error;
  }
}

function composed({ scope, sender, links }: SendContext, message: ClaimedMessage): ComposedMail {
  const { workspace_id: workspaceId } = scope;
  const ref = { workspace_id: workspaceId, message_id: message.id };
  const tracks = message.track_opens || message.track_clicks;
  return compose(message, {
    sender,
    message_id: message.message_id ?? links.messageId(workspaceId, message, sender.email),
    unsubscribe_url: links.unsubscribeUrl(ref),
    ...(tracks && { tracking: new Tracking(links, ref, message) }),
  });
}

async function onSchedule({ context, message }: SendAttempt): Promise<'go on' | 'stopped'> {
  if (!message.schedule || insideSchedule(message.schedule, new Date())) return 'go on';
  await context.results.waitForCampaign(context.scope, context.account_id, message);
  return 'stopped';
}

async function preflight({ context, message, mail }: SendAttempt): Promise<'go on' | 'stopped'> {
  const candidate = { id: message.id, message_id: mail.message_id, subject: mail.subject };
  const stop = await context.batches.marks.submit(candidate);
  if (stop === null) return 'go on';
  await context.results.stopped(context.scope, context.account_id, message, stop);
  return 'stopped';
}

/** A server that keeps us waiting before it takes the content gives a pause the time to come in between. */
const RECHECK_AFTER_MS = 250;

async function send({ context, message, mail, transport }: SendAttempt): Promise<'go on' | 'stopped'> {
  const { scope, account_id: accountId, results } = context;
  const markedAt = Date.now();
  const result = await transport.send(
    mail,
    async () => Date.now() - markedAt < RECHECK_AFTER_MS || isStillAllowed(scope, message.id),
  );
  const decision = decideSend(result, message.attempts + 1);
  switch (decision.kind) {
    case 'sent':
      await context.batches.sent.submit({ id: message.id });
      return 'go on';
    case 'later':
      await results.later(scope, accountId, message.id, decision.minutes);
      return 'stopped';
    case 'failed':
      await results.undelivered(scope, accountId, [message.id], decision.bounce);
      return 'stopped';
    case 'bounced':
      await results.bounced(scope, accountId, message, decision.bounce);
      return 'stopped';
    case 'uncertain':
      await results.uncertain(scope, message.id);
      return 'stopped';
    case 'stopped':
      await results.release(scope, accountId, [message.id]);
      return 'stopped';
    default:
      return decision satisfies never;
  }
}
