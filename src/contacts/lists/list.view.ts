import { is, view } from '@outreach/http-api/responses';
import type { List } from './list.entity.js';

/** A list, read as a row, or inside a contact as JSON without the count. In JSON, dates are strings. */
export type ListRecord = Pick<List, 'id' | 'name' | 'description'> & {
  readonly contacts_count?: number;
  readonly created_at: Date | string;
  readonly updated_at: Date | string;
};

/** A list. `contacts_count` is absent if the list is part of a contact. */
export const listView = view(
  'ContactList',
  {
    id: is.id,
    /** The name, unique in the workspace. At most 255 characters. */
    name: is.string,
    /** What the list is for; null if there is no description. At most 1,000 characters. */
    description: is.nullable(is.string),
    /** How many contacts are in the list. Absent if the list is shown inside a contact. */
    contacts_count: is.integer,
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (list: ListRecord) => ({ contacts_count: list.contacts_count }),
  ['contacts_count'],
);
