import { Ids } from '../../platform/http/index.js';

const MOST_CONTACTS = 1000;

/** The contacts to put into a list or tag, or to take out. */
export class ContactIdsDto {
  @Ids(MOST_CONTACTS) contact_ids!: number[];
}
