import { Injectable } from '@nestjs/common';
import { Announcements, type DomainEventName, OnEvery } from '../../platform/events/index.js';
import { Doorbell } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { bodyOf } from '../event-body.js';
import { DELIVERING } from '../queues.js';
import { raise, subscribersOf } from './raise.queries.js';

/**
 * Hears what all modules announce, and writes down who is to be told, in the transaction of the cause (API v1,
 * "Events"): none without its cause, no cause without them.
 */
@Injectable()
export class RaisedEvents {
  constructor(
    private readonly announcements: Announcements,
    private readonly doorbell: Doorbell,
  ) {}

  @OnEvery()
  async hear(scope: WorkspaceScope, name: DomainEventName, payload: unknown): Promise<void> {
    const told = this.announcements.of(name);
    if (!told) return;
    const webhooks = await subscribersOf(scope, told.name);
    if (webhooks.length === 0) return;
    for await (const batch of told.data(scope, payload)) {
      const bodies = batch.map((data) => bodyOf(scope, told.name, data));
      await raise(scope, told.name, bodies, webhooks);
    }
    const lanes = webhooks.map((id) => ({ workspace_id: scope.workspace_id, id }));
    scope.afterCommit(() => this.doorbell.ring(DELIVERING, lanes));
  }
}
