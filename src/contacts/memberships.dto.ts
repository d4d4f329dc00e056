import { IdList } from '@outreach/http-api/fields';
import { RefersTo } from '@outreach/http-api/validation';
import { Contact } from './contact.entity.js';

const MAX_CONTACTS = 1000;

/** The contacts to add to a list or tag. */
export class AddContactsDto {
  /** The IDs of at most 1,000 contacts. Those that are members already count as `skipped`. */
  @RefersTo(() => Contact) @IdList(MAX_CONTACTS) contact_ids!: number[];
}

/** The contacts to remove from a list or tag. The response counts those that do not exist. */
export class RemoveContactsDto {
  /** The IDs of at most 1,000 contacts. Those that are not members, or do not exist, count as `not_found`. */
  @IdList(MAX_CONTACTS) contact_ids!: number[];
}
