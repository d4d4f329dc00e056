import { structureErrors } from '@outreach/untrusted-json';
import { Injectable } from '@nestjs/common';
import { FairQueue } from '@outreach/concurrency';
import { Log } from '@outreach/logging';
import { BadRequest, defineReason, Forbidden } from '@outreach/http-errors';
import { MEGABYTE, type UnreadBody } from '@outreach/http-api/body';
import {
  type EventProvider,
  type EventRequest,
  eventsOf,
  MAX_EVENT_KEYS,
  type SimulatedEvent,
  type SimulatedMessage,
} from '../../email-accounts/index.js';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';

import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MessageReferences } from '../../sending/index.js';
import { InboundKeys } from '../inbound-keys.cross-tenant.js';
import { InboundQueue } from '../inbound-queue.js';
import type { Receipt } from '../inbound.view.js';
import { CallbackBatches } from './callback-batches.js';
import { CallbackRecording } from './callback-recording.js';
import { findSenderKeys } from './callbacks.queries.js';
import { reportsIn } from './reports.js';

const INVALID_SIGNATURE = defineReason('invalid_signature', 403, 'The signature of the events is missing or wrong.');

class NotSigned extends Forbidden {
  constructor(key: string) {
    super(INVALID_SIGNATURE, `The signature is missing, or does not match any ${key} of the workspace.`);
  }
}

/** How many requests of a workspace a process may receive at the same time to record events before it responds. */
const MAX_REQUESTS = 2;

/**
 * A request is stored first, and its events are recorded in batches (ADR 47). While few arrive, that happens before the
 * response; a burst is left to the batches, in this process and in workers.
 */
@Injectable()
export class ProviderEventsService {
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
  async receive(
    provider: EventProvider,
    key: string,
    headers: EventRequest['headers'],
    body: UnreadBody,
  ): Promise<Receipt> {
    const { scope, event_keys: eventKeys } = await this.keys.openForEvents(key, provider.type);
    return this.queue.run(scope, body, async () => {
      const bytes = await body.read('application/json', MEGABYTE);
      const content = parseJson(bytes);
      const tried = (await this.keysFor(scope, provider, eventKeys, content)).slice(0, MAX_EVENT_KEYS);
      const isSigned = tried.length > 0 && (await provider.events.isSignedBy(tried, { headers, body: bytes }));
      if (!isSigned) throw new NotSigned(provider.events.key);
      return this.record(scope, provider.type, bytes, content);
    });
  }

  /** Stores the event that a provider would send about a message of a sandbox, like {@link receive}. @throws Busy */
  async recordSimulated(
    scope: WorkspaceScope,
    provider: string,
    kind: SimulatedEvent,
    message: SimulatedMessage,
  ): Promise<void> {
    const event = eventsOf(provider)?.simulate(kind, message, scope.clock.now().getTime());
    if (event) await this.record(scope, provider, Buffer.from(JSON.stringify([event])), [event]);
  }

  /**
   * Of more keys than are tried, those of the accounts that have sent the messages of the events come first. All events of a
   * request are of one account of the provider, so its first messages are enough; there may be foreign ones before them.
   */
  private async keysFor(
    scope: WorkspaceScope,
    provider: EventProvider,
    keys: readonly string[],
    content: unknown,
  ): Promise<readonly string[]> {
    if (keys.length <= MAX_EVENT_KEYS || !Array.isArray(content)) return keys;
    const messages = await this.references.find(scope, messageIdsIn(provider.type, content));
    const senders = await findSenderKeys(scope, provider, messages.slice(0, MAX_EVENT_KEYS));
    return [...new Set([...senders, ...keys])];
  }

  private async record(scope: WorkspaceScope, provider: string, body: Buffer, content: unknown): Promise<Receipt> {
    if (!Array.isArray(content)) throw new BadRequest(400, 'The body must be a JSON array of events.');
    const messages = await this.references.find(scope, messageIdsIn(provider, content));
    const matched = await this.recording.record(scope, { provider, body, messages });
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

const messageIdsIn = (provider: string, events: readonly unknown[]): string[] =>
  reportsIn(provider, events).map((report) => report.message_id);

/** How many values a body has. Providers send at most some thousand events of about twenty values. */
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
