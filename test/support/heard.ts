import { type Sql, sql } from '../../src/platform/database/index.js';
import { type DomainEventMap, type DomainEventName, DomainEvents } from '../../src/platform/events/index.js';
import type { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import type { TestService } from './service.js';

type ContactEventName = {
  [Name in DomainEventName]: DomainEventMap[Name] extends { readonly contacts: Sql } ? Name : never;
}[DomainEventName];

/** One event about contacts, and what its sub-select gave while it was published. */
export interface Heard {
  readonly name: ContactEventName;
  readonly ids: readonly number[];
}

/**
 * Hears the service's events about contacts from now on, as a listener of a module would: inside the transaction.
 * Listeners of modules still hear them.
 */
export function hearContacts(service: TestService): Heard[] {
  const heard: Heard[] = [];
  const events = service.app.get(DomainEvents, { strict: false });
  const publish = events.publish.bind(events);
  events.publish = async (scope, name, payload) => {
    if ('contacts' in payload)
      heard.push({ name: name as ContactEventName, ids: await idsOf(scope, payload.contacts) });
    await publish(scope, name, payload);
  };
  return heard;
}

async function idsOf(scope: WorkspaceScope, contacts: Sql): Promise<number[]> {
  const rows = await scope.query<{ id: number }>(
    sql`SELECT id FROM contacts WHERE workspace_id = ${scope} AND id IN (${contacts}) ORDER BY id`,
  );
  return rows.map((row) => row.id);
}
