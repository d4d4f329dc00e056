import { is, view } from '@outreach/http-api/responses';
import type { Tag } from './tag.entity.js';

/** A tag, read as a row, or inside a contact as JSON. In JSON, dates are strings. */
export type TagRecord = Pick<Tag, 'id' | 'name' | 'color'> & {
  readonly created_at: Date | string;
  readonly updated_at: Date | string;
};

export const tagView = view('Tag', {
  id: is.id,
  /** The name, unique in the workspace. At most 255 characters. */
  name: is.string,
  /** The colour in which to show the tag, as `#rrggbb`; null if there is none. */
  color: is.nullable(is.string),
  created_at: is.timestamp,
  updated_at: is.timestamp,
});
