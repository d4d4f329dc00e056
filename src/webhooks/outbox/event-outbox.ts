import { Injectable } from '@nestjs/common';
import { PublicEvents, type DomainEventName, OnEveryDomainEvent } from '../../platform/events/index.js';
import { JobQueue } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { bodyOf } from '../event-body.js';
import { DELIVERING } from '../queues.js';
import { insertEvents, findSubscribers } from './outbox.queries.js';

/**
 * Hears what all modules announce, and writes down who is to be told, in the transaction of the cause (API v1,
 * "Events"): none without its cause, no cause without them.
 */
@Injectable()
export class EventOutbox {
  constructor(
    private readonly publicEvents: PublicEvents,
    private readonly jobQueue: JobQueue,
  ) {}

  @OnEveryDomainEvent()
  async write(scope: WorkspaceScope, name: DomainEventName, payload: unknown): Promise<void> {
    const event = this.publicEvents.of(name);
    if (!event) return;
    const webhooks = await findSubscribers(scope, event.name);
    if (webhooks.length === 0) return;
    for await (const batch of event.data(scope, payload)) {
      const bodies = batch.map((data) => bodyOf(scope, event.name, data));
      await insertEvents(scope, event.name, bodies, webhooks);
    }
    const keys = webhooks.map((id) => ({ workspace_id: scope.workspace_id, id }));
    scope.afterCommit(() => this.jobQueue.enqueue(DELIVERING, keys));
  }
}
