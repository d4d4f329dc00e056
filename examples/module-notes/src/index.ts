import { defineExtension } from 'outreach/extension';
import { CreateNotes1790000000001 } from './create-notes.migration.js';
import { Note } from './note.entity.js';
import { noteView } from './note.view.js';
import { NotesModule, NotesWorkerModule } from './notes.module.js';
import { notesOf } from './notes.queries.js';
import { REMINDING } from './reminder.processor.js';

export default defineExtension({
  name: 'notes',
  module: NotesModule,
  workerModule: NotesWorkerModule,
  entities: [Note],
  migrations: [CreateNotes1790000000001],
  events: ['notes.created', 'notes.due'],
  queues: [REMINDING],
  personalData: { view: noteView, rows: notesOf },
});
