import { is, timestamp, view } from '@outreach/http-api/responses';
import { activityView } from '../../activity/index.js';
import { blacklistEntryView } from '../../blacklist/index.js';
import { enrollmentProgressView } from '../../campaigns/index.js';
import { CHANGE_SOURCES, companyView, contactView, listView, tagView } from '../../contacts/index.js';
import { replyView } from '../../replies/index.js';
import { messageWithContentView } from '../../sending/index.js';
import type { RecordedChange } from './personal-data.queries.js';

/** A change of what a contact has agreed to. */
export const consentChangeView = view(
  'ConsentChange',
  {
    /** What has changed. `status` says whether the service may write to the contact. */
    field: is.oneOf(['status', 'tracking_consent']),
    /** The value before. */
    from: is.string,
    /** The value since then. */
    to: is.string,
    /** Who or what has changed it. */
    source: is.oneOf(CHANGE_SOURCES),
    created_at: is.timestamp,
  },
  (change: RecordedChange) => ({
    field: change.field,
    from: change.from,
    to: change.to,
    source: change.source,
    created_at: timestamp(change.created_at),
  }),
);

/** The document of an export, in the order of its members. */
export const personalDataSchema = is.shape(
  'PersonalData',
  {
    /** The contact, as `GET /v1/contacts/{id}` shows it. */
    contact: is.view(contactView),
    /** The lists that the contact is in. */
    lists: is.arrayOf(is.view(listView)),
    /** The tags of the contact. */
    tags: is.arrayOf(is.view(tagView)),
    /** The company that the contact is linked to; null if there is none. */
    company: is.nullable(is.view(companyView)),
    /** The enrollments in campaigns, the newest first. */
    enrollments: is.arrayOf(is.view(enrollmentProgressView)),
    /** The messages that were sent to the contact or wait, answers to replies among them, the newest first. */
    messages: is.arrayOf(is.view(messageWithContentView)),
    /** What has happened, the newest first. The `data` of opens and clicks has the `user_agent` of the request, too. */
    activity: is.arrayOf(is.view(activityView)),
    /** What the contact has replied, the newest first. */
    replies: is.arrayOf(is.view(replyView)),
    /** The changes of `status` and `tracking_consent`, the newest first. */
    consents: is.arrayOf(is.view(consentChangeView)),
    /** The entry of the address in the blacklist of the workspace; null if there is none. */
    blacklist_entry: is.nullable(is.view(blacklistEntryView)),
    /** Earlier addresses of the contact, the last one first. Only if there are any. */
    former_emails: is.arrayOf(is.string),
  },
  ['former_emails'],
);
