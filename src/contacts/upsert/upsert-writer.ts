import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ContactAddresses } from '../contact-addresses.js';
import { ContactStatuses } from '../contact-statuses.js';
import { contactsEvent } from '../contact.events.js';
import { insertFields } from '../custom-fields/custom-fields.queries.js';
import { LISTS, TAGS } from '../grouping.js';
import { insertPlanned, recordPlannedChanges, replaceAllMemberships, updatePlanned } from './bulk-upserts.queries.js';
import type { PlannedContact } from './planned-contact.js';
import type { UpsertPlan } from './upsert-plan.js';

/** Another transaction has created a contact with the same email or external ID after the contacts were read. */
export class TakenMeanwhile extends Error {}

/** Writes what a plan has decided, in a number of statements that does not depend on the number of contacts. */
@Injectable()
export class UpsertWriter {
  constructor(
    private readonly addresses: ContactAddresses,
    private readonly statuses: ContactStatuses,
    private readonly events: DomainEvents,
  ) {}

  /** @throws TakenMeanwhile, Conflict; LimitReached */
  async write(tx: WorkspaceScope, plan: UpsertPlan): Promise<void> {
    const { changes } = plan;
    if (changes.length === 0) return;
    if (plan.added.size > 0) await insertFields(tx, plan.added);
    const created = changes.filter(({ id }) => id === undefined);
    const updated = changes.filter(({ id }) => id !== undefined);
    await this.insert(tx, created);
    await this.addresses.updateAll(tx, renames(updated), () => this.update(tx, updated));
    await recordPlannedChanges(tx, changes);
    await replaceAllMemberships(tx, TAGS, groupsOf(changes, 'tags'));
    await replaceAllMemberships(tx, LISTS, groupsOf(changes, 'lists'));
    if (created.length > 0) await this.addresses.completeNew(tx, contactsEvent(idsOf(created)).contacts);
    await this.publishUpdated(tx, changes);
    await this.publishStatuses(tx, updated);
    for (const contact of changes) contact.setWritten(Number(contact.id));
    plan.setWritten();
  }

  private async publishStatuses(tx: WorkspaceScope, updated: readonly PlannedContact[]): Promise<void> {
    const changed = updated.filter(({ statuses }) => statuses.length > 0);
    const set = changed.map(({ id, status }) => ({ id: Number(id), status: status.status }));
    await this.statuses.publishSet(tx, set);
  }

  private async insert(tx: WorkspaceScope, created: readonly PlannedContact[]): Promise<void> {
    if (created.length === 0) return;
    const ids = await insertPlanned(tx, created);
    for (const contact of created) contact.id = ids.get(contact.email);
    if (ids.size < created.length) throw new TakenMeanwhile();
  }

  private async update(tx: WorkspaceScope, updated: readonly PlannedContact[]): Promise<void> {
    if (updated.length > 0) await updatePlanned(tx, updated);
  }

  private async publishUpdated(tx: WorkspaceScope, changes: readonly PlannedContact[]): Promise<void> {
    const updated = changes.filter(({ isUpdated }) => isUpdated);
    if (updated.length === 0) return;
    await this.events.publish(tx, 'contact.updated', contactsEvent(idsOf(updated)));
    const relocated = updated.filter(({ hasTimezone }) => hasTimezone);
    if (relocated.length > 0)
      await this.events.publish(tx, 'contact.timezone_changed', contactsEvent(idsOf(relocated)));
  }
}

const idsOf = (contacts: readonly PlannedContact[]): number[] => contacts.flatMap(({ id }) => id ?? []);

function groupsOf(contacts: readonly PlannedContact[], group: 'tags' | 'lists'): Map<number, readonly number[]> {
  const named = contacts.filter((contact) => contact[group] !== undefined);
  return new Map(named.map((contact) => [Number(contact.id), contact[group] ?? []]));
}

const renames = (contacts: readonly PlannedContact[]) =>
  contacts
    .filter(({ hasNewEmail }) => hasNewEmail)
    .map(({ id, writtenEmail, email }) => ({ id: Number(id), from: String(writtenEmail), to: email }));
