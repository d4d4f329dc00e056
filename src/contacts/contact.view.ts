import { is, view } from '@outreach/http-api/responses';
import { type Contact, CONTACT_STATUSES, LIFECYCLE_STAGES, TRACKING_CONSENTS } from './contact.entity.js';
import { fullName } from './full-name.js';
import { type ListRecord, listView } from './lists/list.view.js';
import { type TagRecord, tagView } from './tags/tag.view.js';

/** The tags and lists of a contact, ordered by ID. */
export interface ContactGroups {
  readonly tags: readonly TagRecord[];
  readonly lists: readonly ListRecord[];
}

/** A contact with its tags and lists. */
export type ContactRecord = Omit<Contact, 'search_text' | 'created_source'> & ContactGroups;

const text = is.nullable(is.string);

/** A contact after a change, with what the change has done beside. */
export type WrittenContact = ContactRecord & { readonly new_custom_fields?: readonly string[] };

/** A contact as in API v1, "Contact". Takes the rows of `contactRecords`. */
export const contactView = {
  ...view(
    'Contact',
    {
      id: is.id,
      /** The address that campaigns write to, in lower case. It is unique in the workspace. */
      email: is.string,
      /**
       * The ID of the contact in another system, which the client chooses; null if there is none. It is unique in the workspace.
       */
      external_id: text,
      /** The first name; null if unknown. At most 255 characters. In templates: `{{ first_name }}`. */
      first_name: text,
      /** The last name; null if unknown. At most 255 characters. */
      last_name: text,
      /** The first and the last name, joined by a space; null if there is neither. Derived: it cannot be set. */
      full_name: text,
      /**
       * The name of the company as a text; null if unknown. At most 255 characters. It is independent of `company_id`.
       */
      company: text,
      /** The ID of the company that the contact is linked to; null if there is none. */
      company_id: is.nullable(is.id),
      /** The phone number, in any notation; null if unknown. At most 50 characters. */
      phone: text,
      /** The job title; null if unknown. At most 255 characters. */
      job_title: text,
      /** The address of the LinkedIn profile; null if unknown. At most 500 characters. */
      linkedin_url: text,
      /** The contact's time zone by its IANA name, such as `Europe/Paris`; null if unknown. */
      timezone: text,
      /** How far the contact is on the way to being a customer. */
      lifecycle_stage: is.oneOf(LIFECYCLE_STAGES),
      /**
       * Whether the service may write to the contact. It changes by itself, by the operations `unsubscribe` and
       * `resubscribe`, and by inputs that say that the contact is out.
       */
      status: is.oneOf(CONTACT_STATUSES),
      /** Whether opens and clicks may be measured. */
      tracking_consent: is.oneOf(TRACKING_CONSENTS),
      /** When the contact agreed or refused; null if it has not been asked. */
      tracking_consent_at: is.nullable(is.timestamp),
      /** How the contact has agreed or refused; null if unknown. `unsubscribe page` is the page behind the link of messages. */
      tracking_consent_source: text,
      /** The contact's values of the custom fields, by key. A value is a string, a number or a boolean. */
      custom_fields: { ...is.object, additionalProperties: { type: ['string', 'number', 'boolean'] } },
      /** When the contact was created, or subscribed again. */
      subscribed_at: is.nullable(is.timestamp),
      /** When the contact unsubscribed or complained for the first time, here or in another system; null if it has not. */
      unsubscribed_at: is.nullable(is.timestamp),
      /** Until when no message of a campaign is sent to the contact, also if that is past; null if it is not paused. */
      paused_until: is.nullable(is.timestamp),
      created_at: is.timestamp,
      updated_at: is.timestamp,
      /** The tags of the contact, ordered by ID. */
      tags: is.arrayOf(is.view(tagView)),
      /** The lists that the contact is in, ordered by ID. */
      lists: is.arrayOf(is.view(listView)),
      /**
       * Only in the response to a request that has created or changed the contact: the keys that it has made custom fields of the
       * workspace. One that you did not expect is a typo: delete the custom field.
       */
      new_custom_fields: is.arrayOf(is.string),
    },
    ({ new_custom_fields: added, ...contact }: WrittenContact) => ({
      full_name: fullName(contact),
      ...(added ? { new_custom_fields: added } : {}),
    }),
    ['new_custom_fields'],
  ),
  untagged: ['new_custom_fields'],
};
