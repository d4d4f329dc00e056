import { Injectable } from '@nestjs/common';
import { defineReason, RuleViolated } from '@outreach/http-errors';
import { type Sql, sql } from '../platform/database/index.js';
import { DomainEvents } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import {
  lockContactOf,
  resubscribeContact,
  type StatusTransition,
  transitionContacts,
  unsubscribeContacts,
} from './contact-statuses.queries.js';
import { Contact, type ContactStatus } from './contact.entity.js';
import { contactsEvent } from './contact.events.js';
import type { ContactRecord } from './contact.view.js';
import { contactRecords } from './contacts.queries.js';
import type { ChangeSource } from './history/contact-change.entity.js';
import { refuseTracking } from './history/tracking-consents.js';
import { ContactRefusals } from './refusals/contact-refusals.js';

const NOT_RESUBSCRIBABLE = defineReason(
  'not_resubscribable',
  422,
  'A contact that has bounced or complained cannot be resubscribed.',
);

/** 422: a client cannot undo a bounce or a complaint. */
export class NotResubscribable extends RuleViolated {
  constructor(status: ContactStatus) {
    super(NOT_RESUBSCRIBABLE, `A contact that is ${status} cannot be resubscribed.`);
  }
}

export interface SetStatus {
  readonly id: number;
  readonly status: ContactStatus;
}

export interface UnsubscribeOrigin {
  readonly source: ChangeSource;
  /** A sub-select of the IDs of the messages; absent if the contacts used none. */
  readonly through?: Sql;
}

/**
 * The transitions of a contact's status (API v1, "Contact status"). All are idempotent and take any number of contacts,
 * as a sub-select of their IDs. Each publishes `contact.updated` for the contacts whose status changed, in the same
 * transaction.
 */
@Injectable()
export class ContactStatuses {
  constructor(
    private readonly events: DomainEvents,
    private readonly refusals: ContactRefusals,
  ) {}

  /**
   * Unsubscribes contacts of any status. They get no more messages. A contact that is `complained` stays so.
   * @returns the IDs of the contacts that had neither unsubscribed nor complained before
   */
  unsubscribe(scope: WorkspaceScope, contacts: Sql, origin: UnsubscribeOrigin): Promise<readonly number[]> {
    return scope.transaction(async (tx) => {
      const unsubscribed = await unsubscribeContacts(tx, contacts, { complained: 'stays', source: origin.source });
      return this.publishUnsubscribed(tx, unsubscribed, origin.through);
    });
  }

  /**
   * Unsubscribes one contact at the request of a client: any status becomes `unsubscribed`. That it complained is
   * remembered, so that it cannot be resubscribed.
   * @throws NotFound
   */
  unsubscribeByRequest(scope: WorkspaceScope, id: number): Promise<void> {
    return scope.transaction(async (tx) => {
      const { status } = await tx.of(Contact).lock(id);
      const contact = sql`SELECT ${id}::bigint`;
      if (status === 'complained') await this.refusals.remember(tx, contact);
      await this.publishUnsubscribed(
        tx,
        await unsubscribeContacts(tx, contact, { complained: 'changes', source: 'api' }),
      );
    });
  }

  /**
   * Unsubscribes an address: the contact that has it, or the address itself if there is none, so that a contact that gets
   * it is unsubscribed.
   */
  unsubscribeAddress(scope: WorkspaceScope, email: string, source: ChangeSource): Promise<void> {
    return scope.transaction(async (tx) => {
      const contact = await lockContactOf(tx, email);
      if (contact === undefined) await this.refusals.add(tx, email, 'unsubscribed');
      else await this.unsubscribe(tx, sql`SELECT ${contact}::bigint`, { source });
    });
  }

  /**
   * For addresses that do not exist. A contact that is `complained` stays so.
   * @returns the IDs of the changed contacts
   */
  markBounced(scope: WorkspaceScope, contacts: Sql, source: ChangeSource): Promise<readonly number[]> {
    return scope.transaction((tx) =>
      this.transition(tx, contacts, { to: 'bounced', unless: ['bounced', 'complained'], source }),
    );
  }

  /** For addresses that were taken for dead by mistake. @returns the IDs of the changed contacts */
  revokeBounces(scope: WorkspaceScope, contacts: Sql, source: ChangeSource): Promise<readonly number[]> {
    return scope.transaction((tx) =>
      this.transition(tx, contacts, { to: 'active', unless: ['active', 'unsubscribed', 'complained'], source }),
    );
  }

  /** For recipients who reported a message as spam. @returns the IDs of the changed contacts */
  markComplained(scope: WorkspaceScope, contacts: Sql, source: ChangeSource): Promise<readonly number[]> {
    return scope.transaction((tx) =>
      this.transition(tx, contacts, { to: 'complained', unless: ['complained'], source }),
    );
  }

  /**
   * Nothing of a campaign is sent to a contact before an instant, or from now on if that is null. The caller adapts its messages.
   * @throws NotFound
   */
  async pauseUntil(tx: WorkspaceScope, id: number, until: Date | null): Promise<ContactRecord> {
    const { paused_until: before } = await tx.of(Contact).lock(id);
    if (before?.getTime() === until?.getTime()) return contactRecords(tx).get(id);
    const paused = await contactRecords(tx).update(id, { paused_until: until });
    await this.events.publish(tx, 'contact.updated', contactsEvent([id]), { rows: [paused] });
    return paused;
  }

  /**
   * Publishes that a client has set the status of contacts that it had before: it is as if the contacts had unsubscribed or
   * complained here, so that their enrollments end. The caller publishes `contact.updated`, too. Bounced contacts need
   * nothing: messages are not sent to them.
   */
  async publishSet(tx: WorkspaceScope, contacts: readonly SetStatus[]): Promise<void> {
    const idsOf = (status: ContactStatus): number[] =>
      contacts.filter((contact) => contact.status === status).map(({ id }) => id);
    const [unsubscribed, complained] = [idsOf('unsubscribed'), idsOf('complained')];
    if (unsubscribed.length > 0) await this.events.publish(tx, 'contact.unsubscribed', contactsEvent(unsubscribed));
    if (complained.length > 0) await this.events.publish(tx, 'contact.address_refused', contactsEvent(complained));
  }

  /** Does nothing if the contact is active. @throws NotFound; NotResubscribable if it bounced or has ever complained */
  resubscribe(scope: WorkspaceScope, id: number): Promise<void> {
    return scope.transaction(async (tx) => {
      const { status, email } = await tx.of(Contact).lock(id);
      if (status === 'active') return;
      if (status !== 'unsubscribed') throw new NotResubscribable(status);
      if ((await this.refusals.statusOf(tx, email)) === 'complained') throw new NotResubscribable('complained');
      await resubscribeContact(tx, id);
      await this.refusals.clear(tx, id);
      await this.events.publish(tx, 'contact.updated', contactsEvent([id]));
    });
  }

  /** The contact refuses, on the page behind the unsubscribe link, that its opens and clicks are measured. */
  refuseTracking(scope: WorkspaceScope, id: number): Promise<void> {
    return scope.transaction(async (tx) => {
      const isChanged = await refuseTracking(tx, id);
      if (isChanged) await this.publishUpdated(tx, [id]);
    });
  }

  /** The contact that has an address, if there is one, refuses to be measured. */
  refuseTrackingOf(scope: WorkspaceScope, email: string): Promise<void> {
    return scope.transaction(async (tx) => {
      const contact = await lockContactOf(tx, email);
      if (contact !== undefined) await this.refuseTracking(tx, contact);
    });
  }

  private async transition(
    tx: WorkspaceScope,
    contacts: Sql,
    transition: StatusTransition,
  ): Promise<readonly number[]> {
    return this.publishUpdated(tx, await transitionContacts(tx, contacts, transition));
  }

  private async publishUnsubscribed(
    tx: WorkspaceScope,
    unsubscribed: readonly number[],
    through?: Sql,
  ): Promise<readonly number[]> {
    const updated = await this.publishUpdated(tx, unsubscribed);
    if (updated.length > 0)
      await this.events.publish(tx, 'contact.unsubscribed', { ...contactsEvent(updated), through });
    return updated;
  }

  private async publishUpdated(tx: WorkspaceScope, updated: readonly number[]): Promise<readonly number[]> {
    if (updated.length > 0) await this.events.publish(tx, 'contact.updated', contactsEvent(updated));
    return updated;
  }
}
