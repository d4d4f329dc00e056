import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type DataSubject, emailsOf } from './data-subject.js';

/**
 * Deletes what a sandbox has sent to the person, with what is still to follow after it, and the tests that show the
 * contact's fields. A sandbox stores some thousand messages at most.
 */
export async function eraseFromSandbox(tx: WorkspaceScope, subject: DataSubject): Promise<void> {
  if (!(await tx.isSandbox())) return;
  const { contact_id: id } = subject;
  await tx.execute(
    sql`DELETE FROM sandbox_messages
        WHERE workspace_id = ${tx} AND (to_address = ANY(${emailsOf(subject)}::text[]) OR contact_id = ${id}
          OR shown_contact_id = ${id})`,
  );
}
