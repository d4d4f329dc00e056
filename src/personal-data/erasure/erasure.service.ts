import { Injectable } from '@nestjs/common';
import { Contact, contactsEvent, findUnusedFormerEmails } from '../../contacts/index.js';
import { Keyring } from '../../platform/crypto/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { storeFiguresOfContact } from '../../sending/index.js';
import { dataSubjectOf } from './data-subject.js';
import { encryptSubject } from './encrypted-subjects.js';
import { Erasure } from './erasure.entity.js';
import { storeSubject } from './erasures.queries.js';
import { Traces } from './traces.js';

/** Erases contacts ([ADR 59](../../../docs/adr/0059-erasure.md)). */
@Injectable()
export class ErasureService {
  constructor(
    private readonly events: DomainEvents,
    private readonly traces: Traces,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Deletes a contact, and everything that tells of the person, in one transaction. If that is too much for one
   * transaction, workers erase the rest.
   * @throws NotFound
   */
  erase(scope: WorkspaceScope, id: number): Promise<void> {
    // The number of rows that are deleted with a contact has no limit.
    return scope.withoutStatementLimit().transaction(async (tx) => {
      const contact = await tx.of(Contact).lock(id);
      const formerEmails = await findUnusedFormerEmails(tx, id);
      await storeFiguresOfContact(tx, id);
      await this.events.publish(tx, 'contact.deleted', { ...contactsEvent([id]), isErasure: true });
      await tx.of(Contact).delete(id);
      const subject = dataSubjectOf(contact, formerEmails);
      // After the deletion, which waits for transactions that write about the contact.
      const isComplete = await this.traces.erase(tx, subject);
      const { id: erasureId } = await tx.of(Erasure).insert({ contact_id: id, next_run_at: tx.now });
      const encrypted = encryptSubject(this.keyring, tx, erasureId, subject);
      await storeSubject(tx, { id: erasureId, encrypted, isComplete });
    });
  }
}
