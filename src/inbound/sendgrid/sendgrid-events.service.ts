import { structureErrors } from '@outreach/untrusted-json';
import { Injectable } from '@nestjs/common';
import { FairQueue } from '@outreach/concurrency';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';
import { isSignedByAny, MAX_WEBHOOK_KEYS } from '../../email-accounts/index.js';
import { BadRequest, defineReason, Forbidden } from '../../platform/errors/index.js';
import { MEGABYTE, type UnreadBody } from '../../platform/http/body/index.js';
import { Log } from '../../platform/logging/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MessageReferences } from '../../sending/index.js';
import { InboundKeys } from '../inbound-keys.cross-tenant.js';
import { InboundQueue } from '../inbound-queue.js';
import type { Receipt } from '../inbound.view.js';
import { CallbackBatches } from './callback-batches.js';
import { CallbackRecording } from './callback-recording.js';
import { findSenderKeys } from './callbacks.queries.js';
import { reportedMessageIds } from './sendgrid-events.js';
import type { RequestSignature } from './signed-request.js';

const INVALID_SIGNATURE = defineReason('invalid_signature', 403, 'The signature of the events is missing or wrong.');

class NotFromSendgrid extends Forbidden {
  constructor() {
    super(INVALID_SIGNATURE, 'The signature is missing, or does not match any sendgrid_webhook_key of the workspace.');
  }
}

/** How many requests of a workspace a process may receive at the same time to record events before it responds. */
const MAX_REQUESTS = 2;

/**
 * A request is stored first, and its events are recorded in batches (ADR 47). While few arrive, that happens before the
 * response; a burst is left to the batches, in this process and in workers.
 */
@Injectable()
export class SendgridEventsService {
  private readonly immediate = new FairQueue(FAIR_QUEUES.immediateCallbacks);

  constructor(
    private readonly keys: InboundKeys,
    private readonly queue: InboundQueue,
    private readonly recording: CallbackRecording,
    private readonly batches: CallbackBatches,
    private readonly references: MessageReferences,
    private readonly log: Log,
  ) {}

  /**
   * Stores the events. Events of unknown kinds and about unknown messages are ignored.
   * @throws NotFound if the key is invalid, TooManyRequests beyond its quota, Busy if too many requests of the workspace wait,
   *   Forbidden if the signature is invalid, BadRequest if the body is not an array
   */
  async receive(key: string, signature: RequestSignature, body: UnreadBody): Promise<Receipt> {
    const { scope, webhook_keys: webhookKeys } = await this.keys.openForEvents(key);
    return this.queue.run(scope, body, async () => {
      const bytes = await body.read('application/json', MEGABYTE);
      const content = parseJson(bytes);
      const tried = await this.keysFor(scope, webhookKeys, content);
      if (!(await isSignedByAny(tried, { ...signature, body: bytes }))) throw new NotFromSendgrid();
      return this.record(scope, bytes, content);
    });
  }

  /** Stores events whose sender is known, like {@link receive}. @throws Busy, BadRequest */
  recordVerified(scope: WorkspaceScope, bytes: Buffer): Promise<Receipt> {
    return this.record(scope, bytes, parseJson(bytes));
  }

  /**
   * Of more keys than are tried, those of the accounts that have sent the messages of the events come first. All events of a
   * request are of one account of SendGrid, so its first messages are enough; there may be others of foreign ones before them.
   */
  private async keysFor(scope: WorkspaceScope, keys: readonly string[], content: unknown): Promise<readonly string[]> {
    if (keys.length <= MAX_WEBHOOK_KEYS || !Array.isArray(content)) return keys;
    const messages = await this.references.find(scope, reportedMessageIds(content));
    const senders = await findSenderKeys(scope, messages.slice(0, MAX_WEBHOOK_KEYS));
    return [...new Set([...senders, ...keys])];
  }

  private async record(scope: WorkspaceScope, bytes: Buffer, content: unknown): Promise<Receipt> {
    if (!Array.isArray(content)) throw new BadRequest(400, 'The body must be a JSON array of events.');
    const messages = await this.references.find(scope, reportedMessageIds(content));
    const matched = await this.recording.record(scope, { body: bytes, messages });
    if (matched > 0) await this.processNow(scope);
    return { matched };
  }

  /** Unless more requests follow, or this process does it already. What is left is stored, and a worker records it. */
  private async processNow(scope: WorkspaceScope): Promise<void> {
    if (this.queue.size(scope) > MAX_REQUESTS) return;
    const release = this.immediate.tryAcquire(scope.workspace_id);
    if (!release) return;
    try {
      await this.batches.run(scope, true);
    } catch (error) {
      this.log.warn('stored events are left to the workers', { workspace_id: scope.workspace_id, error });
    } finally {
      release();
    }
  }
}

/** How many values a body has. SendGrid sends at most some thousand events of about twenty values. */
const MAX_VALUES = 100_000;

/** @throws BadRequest if the body is not JSON, or has too many values or levels. Returns undefined if there is none. */
function parseJson(bytes: Buffer): unknown {
  if (structureErrors(bytes, MAX_VALUES)) throw new BadRequest(400, 'The body has too many values or levels.');
  try {
    return bytes.length === 0 ? undefined : JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new BadRequest(400, 'The body is not valid JSON.');
  }
}
