import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { isAfter, type CreationCursor } from './creation-cursor.js';

/**
 * A source of contacts to enroll: a sub-select of `created_at` and `id` of the first `limit` contacts after the cursor,
 * without duplicates. It reads about `limit` rows, so that a source of a million contacts is read once, in chunks.
 */
export type EnrollmentSource = (cursor: CreationCursor, limit: number) => Sql;

export const contactsById =
  (scope: WorkspaceScope, ids: readonly number[]): EnrollmentSource =>
  (cursor, limit) =>
    sql`SELECT created_at, id FROM contacts
        WHERE workspace_id = ${scope} AND id = ANY(${[...ids]}::bigint[]) AND ${isAfter(cursor, sql`created_at`, sql`id`)}
        ORDER BY created_at, id LIMIT ${limit}`;

/** The contacts with these IDs, without those that were removed from a campaign. */
export const contactsNotRemoved =
  (scope: WorkspaceScope, campaignId: number, ids: readonly number[]): EnrollmentSource =>
  (cursor, limit) =>
    sql`SELECT contact.created_at, contact.id FROM (${contactsById(scope, ids)(cursor, limit)}) contact
        WHERE NOT EXISTS (SELECT 1 FROM removed_enrollments removed WHERE removed.workspace_id = ${scope}
          AND removed.contact_id = contact.id AND removed.campaign_id = ${campaignId})`;

/** The members of lists. Each list is read along its index. */
export const listMembers =
  (scope: WorkspaceScope, listIds: readonly number[]): EnrollmentSource =>
  (cursor, limit) =>
    sql`SELECT DISTINCT member.created_at, member.id
        FROM unnest(${[...new Set(listIds)]}::bigint[]) AS list (id)
        CROSS JOIN LATERAL (
          SELECT contact_created_at AS created_at, contact_id AS id FROM list_members
          WHERE workspace_id = ${scope} AND list_id = list.id
            AND ${isAfter(cursor, sql`contact_created_at`, sql`contact_id`)}
          ORDER BY contact_created_at, contact_id LIMIT ${limit}) member
        ORDER BY created_at, id LIMIT ${limit}`;

/** The contacts of a segment. `condition` is an SQL condition on `record`. */
export const segmentMembers =
  (scope: WorkspaceScope, condition: Sql): EnrollmentSource =>
  (cursor, limit) =>
    sql`SELECT record.created_at, record.id FROM contacts record
        WHERE record.workspace_id = ${scope} AND (${condition})
          AND ${isAfter(cursor, sql`record.created_at`, sql`record.id`)}
        ORDER BY record.created_at, record.id LIMIT ${limit}`;

export const allContacts = (scope: WorkspaceScope): EnrollmentSource => segmentMembers(scope, sql`TRUE`);
