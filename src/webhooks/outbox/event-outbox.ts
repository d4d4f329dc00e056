import { Injectable } from '@nestjs/common';
import type { Sql } from '../../platform/database/index.js';
import { type DomainEventName, EventReceivers, OnEveryDomainEvent, PublicEvents } from '../../platform/events/index.js';
import { JobQueue } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { eventBody } from '../event-body.js';
import { DELIVERING } from '../queues.js';
import { contactIn } from '../webhook-event.queries.js';
import { findSubscribers, insertEvents, subscribers } from './outbox.queries.js';

/**
 * Listens to all domain events. For each public event it inserts the body once and a delivery per subscribed webhook, in
 * the transaction that publishes the event (API v1, "Events"): either both are committed or neither.
 */
@Injectable()
export class EventOutbox {
  constructor(
    private readonly publicEvents: PublicEvents,
    private readonly jobQueue: JobQueue,
  ) {}

  @EventReceivers()
  receivers(scope: WorkspaceScope, name: DomainEventName): Sql | undefined {
    const event = this.publicEvents.of(name);
    return event && subscribers(scope, event.name);
  }

  @OnEveryDomainEvent()
  async write(
    scope: WorkspaceScope,
    name: DomainEventName,
    payload: unknown,
    receivers?: readonly number[],
  ): Promise<void> {
    const event = this.publicEvents.of(name);
    if (!event) return;
    const webhooks = receivers ?? (await findSubscribers(scope, event.name));
    if (webhooks.length === 0) return;
    for await (const batch of event.data(scope, payload)) {
      const bodies = batch.map((data) => eventBody(scope, event.name, data));
      await insertEvents(
        scope,
        { event: event.name, bodies, contacts: batch.map((data) => contactIn(event.name, data)) },
        webhooks,
      );
    }
    const keys = webhooks.map((id) => ({ workspace_id: scope.workspace_id, id }));
    scope.afterCommit(() => this.jobQueue.enqueue(DELIVERING, keys));
  }
}
