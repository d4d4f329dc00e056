import { Module } from 'outreach/extension';
import { NotesController } from './notes.controller.js';
import { NotePublicEvents } from './notes.events.js';
import { NotesService } from './notes.service.js';
import { ReminderClockWork, ReminderProcessor } from './reminder.processor.js';

@Module({
  controllers: [NotesController],
  providers: [NotesService, NotePublicEvents, ReminderClockWork],
})
export class NotesModule {}

/** Only workers have it. */
@Module({ providers: [ReminderProcessor] })
export class NotesWorkerModule {}
