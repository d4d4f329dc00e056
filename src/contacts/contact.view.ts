import { is, timestamp, view } from '../platform/http/index.js';
import { type Contact, CONTACT_STATUSES, LIFECYCLE_STAGES } from './contact.entity.js';
import { fullName } from './full-name.js';
import { type ListRecord, listView } from './lists/list.view.js';
import { type TagRecord, tagView } from './tags/tag.view.js';

/** The tags and lists of a contact, ordered by ID. */
export interface ContactGroups {
  readonly tags: readonly TagRecord[];
  readonly lists: readonly ListRecord[];
}

/** A contact with its tags and lists. */
export type ContactRecord = Omit<Contact, 'search_text'> & ContactGroups;

const text = is.nullable(is.string);

/** A contact as in API v1, "Contact". Takes the rows of `contactRecords`. */
export const contactView = view(
  'Contact',
  {
    id: is.id,
    email: is.string,
    first_name: text,
    last_name: text,
    full_name: text,
    company: text,
    company_id: is.nullable(is.id),
    phone: text,
    job_title: text,
    linkedin_url: text,
    timezone: text,
    lifecycle_stage: is.oneOf(LIFECYCLE_STAGES),
    status: is.oneOf(CONTACT_STATUSES),
    custom_fields: { ...is.object, additionalProperties: { type: ['string', 'number', 'boolean'] } },
    subscribed_at: is.nullable(is.timestamp),
    unsubscribed_at: is.nullable(is.timestamp),
    created_at: is.timestamp,
    updated_at: is.timestamp,
    tags: is.arrayOf(is.view(tagView)),
    lists: is.arrayOf(is.view(listView)),
  },
  (contact: ContactRecord) => ({
    id: contact.id,
    email: contact.email,
    first_name: contact.first_name,
    last_name: contact.last_name,
    full_name: fullName(contact),
    company: contact.company,
    company_id: contact.company_id,
    phone: contact.phone,
    job_title: contact.job_title,
    linkedin_url: contact.linkedin_url,
    timezone: contact.timezone,
    lifecycle_stage: contact.lifecycle_stage,
    status: contact.status,
    custom_fields: contact.custom_fields,
    subscribed_at: timestamp(contact.subscribed_at),
    unsubscribed_at: timestamp(contact.unsubscribed_at),
    created_at: timestamp(contact.created_at),
    updated_at: timestamp(contact.updated_at),
    tags: contact.tags.map((tag) => tagView.toJson(tag)),
    lists: contact.lists.map((list) => listView.toJson(list)),
  }),
);
