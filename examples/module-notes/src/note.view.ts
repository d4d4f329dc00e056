import { is, view } from 'outreach/extension';

/** A note as the API and the events show it. */
export const noteView = view('Note', {
  id: is.id,
  contact_id: is.id,
  text: is.string,
  remind_at: is.nullable(is.timestamp),
  reminded_at: is.nullable(is.timestamp),
  created_at: is.timestamp,
  updated_at: is.timestamp,
});
