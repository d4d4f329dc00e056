import { IdList } from '../../platform/http/index.js';

const MAX_CONTACTS = 1000;

/** The contacts to put into a list or tag, or to take out. */
export class ContactIdsDto {
  @IdList(MAX_CONTACTS) contact_ids!: number[];
}
