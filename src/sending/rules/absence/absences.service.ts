import { Injectable } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import { sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import { SENDING } from '../../queues.js';
import { lockPostponable, postponeUntil } from '../release.queries.js';
import { absenceEnd, type AbsencePeriod, OUT_OF_OFFICE } from './absence.js';
import { deleteAbsence, saveAbsence } from './absences.queries.js';

/** Contacts who are away. Call the methods inside the transaction of the reply. */
@Injectable()
export class Absences {
  constructor(private readonly jobQueue: JobQueue) {}

  /**
   * A contact is away: messages of all campaigns wait until the day after `returns_on`, at most for 60 days. The last
   * report counts, also if it names an earlier day.
   */
  async begin(
    tx: WorkspaceScope,
    contactId: number,
    reported: { readonly returns_on: string; readonly reported_at: Date },
  ): Promise<void> {
    const absence = await saveAbsence(tx, contactId, reported);
    if (absence) await this.reschedule(tx, contactId, absence);
  }

  /** A contact is here again, unless an absence was reported after `at`. */
  async end(tx: WorkspaceScope, contactId: number, at: Date): Promise<void> {
    if (await deleteAbsence(tx, contactId, at)) await this.reschedule(tx, contactId);
  }

  private async reschedule(tx: WorkspaceScope, contactId: number, absence?: AbsencePeriod): Promise<void> {
    const now = tx.clock.now();
    const messages = await lockPostponable(tx, sql`SELECT ${contactId}::bigint`);
    const waits = messages.map(({ id, schedule }) => ({ id, until: absence ? absenceEnd(schedule, absence) : now }));
    const accounts = await postponeUntil(tx, OUT_OF_OFFICE, waits);
    const keys = accounts.map(({ email_account_id: id }) => ({ workspace_id: tx.workspace_id, id }));
    if (keys.length > 0) tx.afterCommit(() => this.jobQueue.enqueue(SENDING, keys));
  }
}
