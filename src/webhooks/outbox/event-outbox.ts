import { Inject, Injectable } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import { CONFIG } from '../../platform/config/index.js';
import type { Sql } from '../../platform/database/index.js';
import {
  type DomainEventName,
  EventReceivers,
  type KnownEvent,
  OnEveryDomainEvent,
  type PublicEventReader,
  PublicEvents,
} from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { eventBodyWith } from '../event-body.js';
import { DELIVERING } from '../queues.js';
import type { WebhooksConfig } from '../webhooks.settings.js';
import { encodedParts } from './encoded-parts.js';
import { findSubscribers, insertEvents, subscribers } from './outbox.queries.js';
import { storeEncodedEvents, storeEvents } from './store-events.queries.js';

/**
 * Listens to all domain events. Stores each public event, to be read; if webhooks are subscribed, it also inserts the body
 * once and a delivery per webhook, all in the transaction that publishes the event (API v1, "Events").
 */
@Injectable()
export class EventOutbox {
  constructor(
    private readonly publicEvents: PublicEvents,
    private readonly jobQueue: JobQueue,
    @Inject(CONFIG) private readonly config: Pick<WebhooksConfig, 'event_retention_days'>,
  ) {}

  @EventReceivers()
  receivers(scope: WorkspaceScope, name: DomainEventName): Sql | undefined {
    const event = this.publicEvents.of(name);
    return event && subscribers(scope, event.name);
  }

  @OnEveryDomainEvent()
  async write(scope: WorkspaceScope, name: DomainEventName, payload: unknown, known: KnownEvent = {}): Promise<void> {
    const event = this.publicEvents.of(name);
    if (!event) return;
    const isStored = this.config.event_retention_days > 0;
    let webhooks = isStored ? [] : (known.receivers ?? (await findSubscribers(scope, event.name)));
    if (webhooks.length === 0 && !isStored) return;
    if (isStored && (await this.storedByDatabase(scope, event, payload, known))) return;
    for await (const batch of known.rows ? [event.show(known.rows)] : event.data(scope, payload)) {
      for (const events of encodedParts(event.name, batch)) {
        if (isStored) webhooks = await storeEvents(scope, events);
        if (webhooks.length === 0) continue;
        const bodies = events.data.map((each) => eventBodyWith(scope, event.name, each));
        await insertEvents(scope, { event: event.name, bodies, contacts: events.contacts }, webhooks);
      }
    }
    if (webhooks.length === 0) return;
    const keys = webhooks.map((id) => ({ workspace_id: scope.workspace_id, id }));
    scope.afterCommit(() => this.jobQueue.enqueue(DELIVERING, keys));
  }

  /**
   * Stores the events of a set that may be large, if no webhook needs their bodies: the database encodes them, so that none
   * is read. @returns whether it has
   */
  private async storedByDatabase(
    scope: WorkspaceScope,
    event: PublicEventReader,
    payload: unknown,
    { rows, receivers }: KnownEvent,
  ): Promise<boolean> {
    const encoded = (rows ?? receivers) ? undefined : event.encoded(scope, payload);
    if (!encoded || (await findSubscribers(scope, event.name)).length > 0) return false;
    for await (const statement of encoded) await storeEncodedEvents(scope, event.name, statement);
    return true;
  }
}
