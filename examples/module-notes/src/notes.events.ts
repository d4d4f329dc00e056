import { Injectable, PublicEvent, type Sql, type WorkspaceScope } from 'outreach/extension';
import { Note } from './note.entity.js';
import { noteView } from './note.view.js';

/** The notes of an event: a sub-select of their IDs. */
interface NotesEvent {
  readonly notes: Sql;
}

declare module 'outreach/extension' {
  interface ExtensionPermissions {
    notes: true;
  }
  interface ExtensionEvents {
    'notes.created': NotesEvent;
    'notes.due': NotesEvent;
  }
}

const written = new Date('2026-03-02T08:20:00.000Z');
const example: Note = {
  workspace_id: 1,
  id: 7,
  contact_id: 42,
  text: 'Prefers calls in the morning.',
  remind_at: written,
  reminded_at: null,
  created_at: written,
  updated_at: written,
};

@Injectable()
export class NotePublicEvents {
  @PublicEvent('notes.created', { view: noteView, example, when: 'A note is written on a contact.' })
  created(scope: WorkspaceScope, { notes }: NotesEvent) {
    return scope.of(Note).iterate(notes);
  }

  @PublicEvent('notes.due', { view: noteView, example, when: 'The time of a reminder has come.' })
  due(scope: WorkspaceScope, { notes }: NotesEvent) {
    return scope.of(Note).iterate(notes);
  }
}
