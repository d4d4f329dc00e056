import { type Sql, sql } from '../../src/platform/database/index.js';
import { type DomainEventMap, type DomainEventName, DomainEvents } from '../../src/platform/events/index.js';
import type { LinkClicked, MessagesBounced } from '../../src/sending/index.js';
import type { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import type { TestService } from './service.js';

/** A published event, and the IDs that its sub-select returned at that time. */
export interface PublishedEvent {
  readonly name: DomainEventName;
  readonly ids: readonly number[];
}

type MessagePayload = Partial<LinkClicked & MessagesBounced>;

export interface PublishedMessageEvent extends PublishedEvent {
  readonly payload: MessagePayload;
}

/** Records the domain events about contacts from now on. */
export function recordContactEvents(service: TestService): PublishedEvent[] {
  const published: PublishedEvent[] = [];
  intercept(service, async (scope, name, payload) => {
    if ('contacts' in payload) published.push({ name, ids: await idsOf(scope, 'contacts', payload.contacts) });
  });
  return published;
}

/** Records the domain events about messages, or caused through messages, from now on. */
export function recordMessageEvents(service: TestService): PublishedMessageEvent[] {
  const published: PublishedMessageEvent[] = [];
  intercept(service, async (scope, name, payload) => {
    const messages = 'messages' in payload ? payload.messages : 'through' in payload ? payload.through : undefined;
    if (!messages) return;
    published.push({ name, ids: await idsOf(scope, 'all_messages', messages), payload: payload as MessagePayload });
  });
  return published;
}

type Listener = (
  scope: WorkspaceScope,
  name: DomainEventName,
  payload: DomainEventMap[DomainEventName],
) => Promise<void>;

/** Calls a listener inside the transaction, before the listeners of the modules. */
function intercept(service: TestService, listen: Listener): void {
  const events = service.app.get(DomainEvents, { strict: false });
  const publish = events.publish.bind(events);
  events.publish = async (scope, name, payload) => {
    await listen(scope, name, payload);
    await publish(scope, name, payload);
  };
}

async function idsOf(scope: WorkspaceScope, table: 'contacts' | 'all_messages', ids: Sql): Promise<number[]> {
  const rows = await scope.query<{ id: number }>(
    sql`SELECT id FROM ${sql.ref(table)} WHERE workspace_id = ${scope} AND id IN (${ids}) ORDER BY id`,
  );
  return rows.map((row) => row.id);
}
