import { IdList } from '../platform/http/index.js';

const MAX_CONTACTS = 1000;

/** The contacts to add to a list or tag, or to remove from it. */
export class ContactIdsDto {
  @IdList(MAX_CONTACTS) contact_ids!: number[];
}
