import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { DataSubject } from './data-subject.js';

/** Deletes what a sandbox has sent to the person, with what is still to follow after it. */
export async function eraseFromSandbox(tx: WorkspaceScope, { email }: DataSubject): Promise<void> {
  await tx.execute(sql`DELETE FROM sandbox_messages WHERE workspace_id = ${tx} AND to_address = ${email}`);
}
