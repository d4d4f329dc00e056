import { Injectable } from '@nestjs/common';
import { cachedCount, type Sql, sql } from '../platform/database/index.js';
import { DomainEvents, type KnownEvent } from '../platform/events/index.js';
import { WorkspaceLimits } from '../platform/limits/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { Contact } from './contact.entity.js';
import { contactsEvent } from './contact.events.js';
import type { ContactRecord } from './contact.view.js';
import { rememberFormerEmails } from './former-emails.queries.js';
import { ContactRefusals } from './refusals/contact-refusals.js';

export interface Rename {
  readonly id: number;
  readonly from: string;
  readonly to: string;
}

/** What follows when contacts get their address, or another one. */
@Injectable()
export class ContactAddresses {
  constructor(
    private readonly refusals: ContactRefusals,
    private readonly limits: WorkspaceLimits,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Completes contacts that this transaction has inserted, and publishes `contact.created`.
   * @returns the number of contacts whose address is remembered as unsubscribed or complained
   * @throws LimitReached
   */
  async completeNew(tx: WorkspaceScope, contacts: Sql): Promise<number> {
    const refused = await this.refusals.apply(tx, contacts);
    await this.complete(tx, contacts);
    return refused;
  }

  /**
   * Does what {@link completeNew} does for one contact. Nearly always its address is not remembered, so it is only looked
   * up, together with who receives the event.
   * @param record the contact as it is, if nothing has been added to it since
   * @throws LimitReached
   */
  async completeCreated(tx: WorkspaceScope, { id, email }: Contact, record?: ContactRecord): Promise<number> {
    const { contacts } = contactsEvent([id]);
    const [found] = await tx.query<{ refusal: string | null; receivers: readonly number[] }>(
      sql`SELECT ${this.refusals.status(tx, email)} AS refusal,
                 ${this.events.receivers(tx, 'contact.created')} AS receivers`.prepared(),
    );
    const refused = found?.refusal ? await this.refusals.apply(tx, contacts) : 0;
    const rows = record && refused === 0 ? [record] : undefined;
    await this.complete(tx, contacts, { receivers: found?.receivers, rows });
    return refused;
  }

  /**
   * Runs an update of a contact. If it changes the address, remembers a refusal of the earlier one, and applies that of
   * the new one, which ends the running enrollments. A complaint holds for the new address, too.
   * @param email the new address; undefined if the update does not set it
   */
  async update<R>(tx: WorkspaceScope, id: number, email: string | undefined, update: () => Promise<R>): Promise<R> {
    const before = email === undefined ? undefined : await tx.of(Contact).lock(id);
    if (email === undefined || before?.email === email) return update();
    const contact = sql`SELECT ${id}::bigint`;
    await this.refusals.remember(tx, contact);
    const updated = await update();
    if (before) await rememberFormerEmails(tx, [{ id, from: before.email }]);
    const hasComplained = before && (await this.refusals.statusOf(tx, before.email)) === 'complained';
    if (hasComplained) await this.refusals.add(tx, email, 'complained');
    const refused = await this.refusals.apply(tx, contact);
    if (refused > 0) await this.events.publish(tx, 'contact.address_refused', { contacts: contact });
    return updated;
  }

  /** Does what {@link update} does, for contacts that are locked. `update` writes the addresses of all of them. */
  async updateAll(tx: WorkspaceScope, renames: readonly Rename[], update: () => Promise<void>): Promise<void> {
    if (renames.length === 0) return update();
    const { contacts } = contactsEvent(renames.map(({ id }) => id));
    await this.refusals.remember(tx, contacts);
    await update();
    await rememberFormerEmails(tx, renames);
    await this.refusals.copyComplaints(tx, renames);
    const refused = await this.refusals.apply(tx, contacts);
    if (refused > 0) await this.events.publish(tx, 'contact.address_refused', { contacts });
  }

  private async complete(tx: WorkspaceScope, contacts: Sql, known?: KnownEvent): Promise<void> {
    await this.limits.checkTotal(tx, 'contacts', cachedCount(tx, 'contacts'));
    await this.events.publish(tx, 'contact.created', { contacts }, known);
  }
}
