import { Injectable } from '@nestjs/common';
import { type Sql, sql } from '../../platform/database/index.js';
import { OnDomainEvent } from '../../platform/events/index.js';
import { HashKeyStore } from '../../platform/keyed-hash/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ContactsEvent } from '../contact.events.js';
import { changeStatus } from '../history/contact-changes.queries.js';
import type { ContactRefusal } from './contact-refusal.entity.js';

/** The address of the row `contact`. */
const ADDRESS_OF_CONTACT = sql`contact.email`;

/**
 * Remembers the addresses that unsubscribed or complained when their contact is deleted or gets another address (API v1,
 * "Contact status"), and those that unsubscribe through the link of an earlier message. Methods that take contacts take
 * any number of them, as a sub-select of their IDs.
 */
@Injectable()
export class ContactRefusals {
  constructor(private readonly keys: HashKeyStore) {}

  @OnDomainEvent('contact.deleted')
  rememberDeleted(scope: WorkspaceScope, { contacts }: ContactsEvent): Promise<void> {
    return this.remember(scope, contacts);
  }

  /**
   * Remembers the addresses of those contacts that unsubscribed or complained. Call it while the rows are locked. An
   * address that is remembered already keeps its first date; a complaint stays one.
   */
  async remember(scope: WorkspaceScope, contacts: Sql): Promise<void> {
    await scope.execute(
      sql`INSERT INTO contact_refusals AS refusal (workspace_id, hash, status, refused_at)
          SELECT ${scope}::bigint, ${this.hash(scope, ADDRESS_OF_CONTACT)} AS hash,
                 CASE contact.status WHEN 'complained' THEN 'complained' ELSE 'unsubscribed' END,
                 coalesce(contact.unsubscribed_at, contact.updated_at)
          FROM contacts contact
          WHERE contact.workspace_id = ${scope} AND ${sql.among(sql`contact.id`, contacts)}
            AND (contact.status IN ('unsubscribed', 'complained') OR contact.unsubscribed_at IS NOT NULL)
          ORDER BY hash
          ON CONFLICT (workspace_id, hash) DO UPDATE SET
            status = CASE WHEN refusal.status = 'complained' THEN refusal.status ELSE excluded.status END,
            refused_at = least(refusal.refused_at, excluded.refused_at)`,
    );
  }

  /** Remembers the refusal of an address. The first date of a remembered one stays, and a complaint stays one. */
  async add(scope: WorkspaceScope, email: string, status: ContactRefusal['status']): Promise<void> {
    await scope.execute(
      sql`INSERT INTO contact_refusals AS refusal (workspace_id, hash, status, refused_at)
          VALUES (${scope}, ${this.hash(scope, sql`${email}::text`)}, ${status}, ${scope.now})
          ON CONFLICT (workspace_id, hash) DO UPDATE SET status = excluded.status
          WHERE refusal.status <> 'complained'`,
    );
  }

  /** Remembers that the new addresses have complained, of those contacts whose earlier address has. */
  async copyComplaints(scope: WorkspaceScope, renames: readonly { readonly from: string; readonly to: string }[]) {
    await scope.execute(
      sql`INSERT INTO contact_refusals AS refusal (workspace_id, hash, status, refused_at)
          SELECT ${scope}::bigint, ${this.hash(scope, sql`renamed.new_email`)} AS hash, 'complained', ${scope.now}
          FROM unnest(${renames.map(({ from }) => from)}::text[], ${renames.map(({ to }) => to)}::text[])
            AS renamed (old_email, new_email)
          JOIN contact_refusals earlier ON earlier.workspace_id = ${scope} AND earlier.status = 'complained'
            AND earlier.hash = ${this.hash(scope, sql`renamed.old_email`)}
          ORDER BY hash
          ON CONFLICT (workspace_id, hash) DO UPDATE SET status = excluded.status
          WHERE refusal.status <> 'complained'`,
    );
  }

  /**
   * Sets the status and the date of contacts that got a remembered address. Call it after the statement that wrote the
   * address: it had to wait for a transaction that deletes the earlier contact, so what that one remembers is visible.
   * @returns the number of these contacts
   */
  async apply(scope: WorkspaceScope, contacts: Sql): Promise<number> {
    const hash = this.hash(scope, ADDRESS_OF_CONTACT);
    const refusalOf = (column: Sql): Sql =>
      sql`(SELECT ${column} FROM contact_refusals refusal
           WHERE refusal.workspace_id = ${scope} AND refusal.hash = ${hash})`;
    const changed = await changeStatus(scope, {
      which: sql`${sql.among(sql`contact.id`, contacts)} AND EXISTS ${refusalOf(sql`1`)}`,
      set: sql`unsubscribed_at = least(contact.unsubscribed_at, ${refusalOf(sql`refusal.refused_at`)}),
        status = CASE WHEN 'complained' IN (contact.status, ${refusalOf(sql`refusal.status`)})
          THEN 'complained' ELSE 'unsubscribed' END`,
      source: 'service',
    });
    return changed.length;
  }

  /** @returns SQL for how an address has refused mail, null if that is not remembered */
  status(scope: WorkspaceScope, email: string): Sql {
    const hash = this.keys.get().digest(`${scope.workspace_id}:${email}`);
    return sql`(SELECT refusal.status FROM contact_refusals refusal
                WHERE refusal.workspace_id = ${scope} AND refusal.hash = ${hash})`;
  }

  /** @returns what {@link status} finds */
  async statusOf(scope: WorkspaceScope, email: string): Promise<ContactRefusal['status'] | null> {
    const [refusal] = await scope.query<{ status: ContactRefusal['status'] | null }>(
      sql`SELECT ${this.status(scope, email)} AS status`.prepared(),
    );
    return refusal?.status ?? null;
  }

  /** Forgets that the address of a contact unsubscribed. */
  async clear(scope: WorkspaceScope, id: number): Promise<void> {
    await scope.execute(
      sql`DELETE FROM contact_refusals refusal USING contacts contact
          WHERE refusal.workspace_id = ${scope} AND refusal.hash = ${this.hash(scope, ADDRESS_OF_CONTACT)}
            AND contact.workspace_id = ${scope} AND contact.id = ${id}`,
    );
  }

  /** The hash contains the workspace, so that hashes of two workspaces cannot be compared. @param email SQL of an address */
  private hash(scope: WorkspaceScope, email: Sql): Sql {
    return this.keys.get().hash(sql`${scope}::bigint || ':' || ${email}`);
  }
}
