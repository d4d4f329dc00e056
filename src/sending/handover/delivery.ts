import type { ComposedMail } from '../../email-accounts/index.js';
import { insideSchedule } from '../../campaigns/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { RenderedTooLong } from '../../templates/index.js';
import type { Transport } from '../transports/index.js';
import type { MessageLinks } from '../links.js';
import type { ClaimedMessage } from './claim.queries.js';
import { compose, type Sender } from './compose.js';
import type { Leases } from './leases.js';
import { mayStillGo } from './mark.queries.js';
import type { Recorder } from './recorder.js';
import { Tracking } from './tracking.js';
import { verdict } from './verdict.js';
import type { Batches } from './workspace-batches.js';

/** What all hand-overs from one account have in common. */
export interface AccountLane {
  readonly scope: WorkspaceScope;
  readonly account_id: number;
  readonly sender: Sender;
  readonly batches: Batches;
  readonly recorder: Recorder;
  readonly links: MessageLinks;
  readonly leases: Leases;
}

/** One message on its way through the steps. */
interface Delivery {
  readonly lane: AccountLane;
  readonly message: ClaimedMessage;
  readonly transport: Transport;
  readonly mail: ComposedMail;
}

/** A step either lets the message go on, or has written down why it stopped. */
type Step = (delivery: Delivery) => Promise<'go on' | 'stopped'>;

/**
 * The way of a claimed message; the account's activity and daily limit were settled by the claim. `stillWanted` is one
 * statement for campaign, enrollment, contact and blacklist, right before the hand-over.
 */
const STEPS: readonly Step[] = [onSchedule, stillWanted, handOver];

/** Takes one message through all steps. A failure of the database escapes; leases bring the message back. */
export async function deliver(lane: AccountLane, message: ClaimedMessage, transport: Transport): Promise<void> {
  const mail = composeFor(lane, message);
  if (mail instanceof RenderedTooLong)
    return lane.recorder.failed(lane.scope, lane.account_id, [message.id], mail.message);
  const delivery = { lane, message, transport, mail };
  for (const step of STEPS) if ((await step(delivery)) === 'stopped') return;
}

/** The mail, or why there can be none, now and on every other try. */
function composeFor(lane: AccountLane, message: ClaimedMessage): ComposedMail | RenderedTooLong {
  try {
    return composed(lane, message);
  } catch (error) {
    if (error instanceof RenderedTooLong) return error;
    throw error;
  }
}

function composed({ scope, sender, links }: AccountLane, message: ClaimedMessage): ComposedMail {
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

async function onSchedule({ lane, message }: Delivery): Promise<'go on' | 'stopped'> {
  if (!message.schedule || insideSchedule(message.schedule, new Date())) return 'go on';
  await lane.recorder.waitForCampaign(lane.scope, lane.account_id, message);
  return 'stopped';
}

async function stillWanted({ lane, message, mail }: Delivery): Promise<'go on' | 'stopped'> {
  const candidate = { id: message.id, message_id: mail.message_id, subject: mail.subject };
  const stop = await lane.batches.marks.submit(candidate);
  if (stop === null) return 'go on';
  await lane.recorder.stopped(lane.scope, lane.account_id, message, stop);
  return 'stopped';
}

/** A server that keeps us waiting before it takes the content gives a pause the time to come in between. */
const PATIENCE_MS = 250;

async function handOver({ lane, message, mail, transport }: Delivery): Promise<'go on' | 'stopped'> {
  const { scope, account_id: accountId, recorder } = lane;
  const markedAt = Date.now();
  const outcome = await transport.send(
    mail,
    async () => Date.now() - markedAt < PATIENCE_MS || mayStillGo(scope, message.id),
  );
  const decided = verdict(outcome, message.attempts + 1);
  switch (decided.kind) {
    case 'sent':
      await lane.batches.sent.submit({ id: message.id });
      return 'go on';
    case 'later':
      await recorder.later(scope, accountId, message.id, decided.minutes);
      return 'stopped';
    case 'failed':
      await recorder.undelivered(scope, accountId, [message.id], decided.bounce);
      return 'stopped';
    case 'bounced':
      await recorder.bounced(scope, accountId, message, decided.bounce);
      return 'stopped';
    case 'uncertain':
      await recorder.uncertain(scope, message.id);
      return 'stopped';
    case 'stopped':
      await recorder.release(scope, accountId, [message.id]);
      return 'stopped';
    default:
      return decided satisfies never;
  }
}
