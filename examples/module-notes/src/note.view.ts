import { is, timestamp, view } from 'outreach/extension';
import type { Note } from './note.entity.js';

/** A note as the API and the events show it. */
export const noteView = view(
  'Note',
  {
    id: is.id,
    contact_id: is.id,
    text: is.string,
    remind_at: is.nullable(is.timestamp),
    reminded_at: is.nullable(is.timestamp),
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (note: Note) => ({
    id: note.id,
    contact_id: note.contact_id,
    text: note.text,
    remind_at: timestamp(note.remind_at),
    reminded_at: timestamp(note.reminded_at),
    created_at: timestamp(note.created_at),
    updated_at: timestamp(note.updated_at),
  }),
);
