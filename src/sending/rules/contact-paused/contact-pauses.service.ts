import { Injectable } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import { type ContactRecord, ContactStatuses } from '../../../contacts/index.js';
import { sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import { SENDING } from '../../queues.js';
import { lockPostponable, postponeUntil } from '../release.queries.js';

/** Why a message waits whose contact is paused, as the API shows it. */
export const CONTACT_PAUSED = 'contact_paused';

/** Pauses and resumes contacts, with the messages that wait for them. The preflight check stops those that are claimed. */
@Injectable()
export class ContactPauses {
  constructor(
    private readonly contacts: ContactStatuses,
    private readonly jobQueue: JobQueue,
  ) {}

  /** @param until null resumes the contact. @throws NotFound */
  set(scope: WorkspaceScope, id: number, until: Date | null): Promise<ContactRecord> {
    return scope.transaction(async (tx) => {
      const contact = await this.contacts.pauseUntil(tx, id, until);
      const messages = await lockPostponable(tx, sql`SELECT ${id}::bigint`);
      const end = until ?? tx.clock.now();
      const waits = messages.map((message) => ({ id: message.id, until: end }));
      const accounts = await postponeUntil(tx, CONTACT_PAUSED, waits);
      const keys = accounts.map((account) => ({ workspace_id: tx.workspace_id, id: account.email_account_id }));
      if (keys.length > 0) tx.afterCommit(() => this.jobQueue.enqueue(SENDING, keys));
      return contact;
    });
  }
}
