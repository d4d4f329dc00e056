import { NotFound } from '@outreach/http-errors';
import { type Sql, sql } from '../platform/database/index.js';
import type { ScopedRepository, WorkspaceScope } from '../platform/tenancy/index.js';
import { Contact } from './contact.entity.js';
import { type ContactKey, KEY_READERS } from './contact-keys.js';
import type { ContactGroups, ContactRecord } from './contact.view.js';

/**
 * The repository of contacts with their tags and lists, as {@link contactView} shows them. The tags and lists are read
 * in the same statement, for the returned rows only.
 */
export const contactRecords = (scope: WorkspaceScope): ScopedRepository<Contact, ContactGroups> =>
  scope.of(Contact).withColumns<ContactGroups>(sql`, ${tagsOf(scope)} AS tags, ${listsOf(scope)} AS lists`);

const tagsOf = (scope: WorkspaceScope): Sql =>
  sql`(SELECT coalesce(json_agg(json_build_object('id', tag.id, 'name', tag.name, 'color', tag.color,
                'created_at', tag.created_at, 'updated_at', tag.updated_at) ORDER BY tag.id), '[]')
       FROM tag_members member
       JOIN tags tag ON tag.workspace_id = ${scope} AND tag.id = member.tag_id
       WHERE member.workspace_id = ${scope} AND member.contact_id = record.id)`;

const listsOf = (scope: WorkspaceScope): Sql =>
  sql`(SELECT coalesce(json_agg(json_build_object('id', list.id, 'name', list.name, 'description', list.description,
                'created_at', list.created_at, 'updated_at', list.updated_at) ORDER BY list.id), '[]')
       FROM list_members member
       JOIN lists list ON list.workspace_id = ${scope} AND list.id = member.list_id
       WHERE member.workspace_id = ${scope} AND member.contact_id = record.id)`;

/** @param text the key of a path, as the client wrote it @throws NotFound if no contact has it, or none can */
export async function getByKey(
  scope: WorkspaceScope,
  field: ContactKey['field'],
  text: string,
): Promise<ContactRecord> {
  const { value, error } = KEY_READERS[field](text.trim());
  const [contact] = error === undefined ? await contactRecords(scope).find({ [field]: value }) : [];
  if (!contact) throw new NotFound('Contact');
  return contact;
}

/** Sets `updated_at` of contacts whose memberships changed but whose own columns did not. */
export async function touchContacts(scope: WorkspaceScope, ids: readonly number[]): Promise<void> {
  await scope.execute(
    sql`UPDATE contacts SET updated_at = ${scope.now} WHERE workspace_id = ${scope} AND id = ANY(${[...ids]}::bigint[])`,
  );
}
