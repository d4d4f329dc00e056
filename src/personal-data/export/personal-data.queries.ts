import type { ChangeSource } from '../../contacts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** The IDs of the contact's enrollments, the newest first. */
export const enrollmentIds = (scope: WorkspaceScope, contactId: number): Sql =>
  sql`SELECT id FROM enrollments WHERE workspace_id = ${scope} AND contact_id = ${contactId} ORDER BY id DESC`;

/** The IDs of the messages to the contact, the newest first. */
export const messageIds = (scope: WorkspaceScope, contactId: number): Sql =>
  sql`SELECT message.id FROM enrollments enrollment
      JOIN all_messages message ON message.workspace_id = ${scope} AND message.enrollment_id = enrollment.id
      WHERE enrollment.workspace_id = ${scope} AND enrollment.contact_id = ${contactId} ORDER BY message.id DESC`;

/** The IDs of the contact's replies, the newest first. */
export const replyIds = (scope: WorkspaceScope, contactId: number): Sql =>
  sql`SELECT id FROM replies WHERE workspace_id = ${scope} AND contact_id = ${contactId} ORDER BY id DESC`;

export interface RecordedChange {
  readonly field: 'status' | 'tracking_consent';
  readonly from: string;
  readonly to: string;
  readonly source: ChangeSource;
  readonly created_at: Date;
}

/** The changes of the contact's status and consent, the newest first. */
export const consentChanges = (scope: WorkspaceScope, contactId: number): Sql =>
  sql`SELECT field, old_value AS "from", new_value AS "to", source, created_at FROM contact_changes
      WHERE workspace_id = ${scope} AND contact_id = ${contactId} ORDER BY id DESC`;
