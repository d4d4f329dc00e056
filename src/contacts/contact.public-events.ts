import { Injectable } from '@nestjs/common';
import { PublicEvent } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { ContactsDeleted, ContactsEvent } from './contact.events.js';
import { EXAMPLE_CONTACT } from './contact.example.js';
import { type ContactRecord, contactView } from './contact.view.js';
import { contactRecords } from './contacts.queries.js';
import { encodedContacts } from './encoded-contacts.queries.js';

const record = {
  view: contactView,
  example: EXAMPLE_CONTACT,
  encoded: (scope: WorkspaceScope, { contacts }: ContactsEvent) => encodedContacts(scope, contacts),
};

/** Without an address if the contact is erased. */
type DeletedContact = ContactRecord | { readonly id: number; readonly email: null };

const deletedContactView = {
  ...contactView,
  toJson: (contact: DeletedContact) => (contact.email === null ? { id: contact.id } : contactView.toJson(contact)),
};

/** The events of contacts for webhooks, with the record at the time of the event (API v1, "Events"). */
@Injectable()
export class ContactPublicEvents {
  @PublicEvent('contact.created', { ...record, when: 'A contact is created, by the API or by an import.' })
  created(scope: WorkspaceScope, { contacts }: ContactsEvent) {
    return contactRecords(scope).iterate(contacts);
  }

  @PublicEvent('contact.updated', {
    ...record,
    when:
      "A contact's fields, status, lists or tags change, " +
      'by the API, an import, the unsubscribe page, a bounce or a complaint.',
  })
  updated(scope: WorkspaceScope, { contacts }: ContactsEvent) {
    return contactRecords(scope).iterate(contacts);
  }

  @PublicEvent('contact.deleted', {
    when: 'A contact is deleted. Shows its last state; of a contact that is erased, only the `id`.',
    view: deletedContactView,
    example: EXAMPLE_CONTACT,
  })
  async *deleted(
    scope: WorkspaceScope,
    { contacts, isErasure }: ContactsDeleted,
  ): AsyncGenerator<readonly DeletedContact[]> {
    for await (const rows of contactRecords(scope).iterate(contacts))
      yield isErasure ? rows.map(({ id }) => ({ id, email: null })) : rows;
  }
}
