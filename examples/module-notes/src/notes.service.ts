import { DomainEvents, Injectable, JobQueue, KnownIds, type WorkspaceScope } from 'outreach/extension';
import { Note } from './note.entity.js';
import type { CreateNoteDto, UpdateNoteDto } from './notes.dto.js';
import { REMINDING } from './reminder.processor.js';

@Injectable()
export class NotesService {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobQueue: JobQueue,
  ) {}

  /** The record and its event are committed together; the job only wakes a worker, after the commit. */
  create(scope: WorkspaceScope, contactId: number, { text, remind_at }: CreateNoteDto): Promise<Note> {
    return scope.transaction(async (tx) => {
      const note = await tx.of(Note).insert({ contact_id: contactId, text, remind_at });
      await this.events.publish(tx, 'notes.created', { notes: new KnownIds([note.id]) });
      this.wakeWorker(tx);
      return note;
    });
  }

  /** A new `remind_at` reminds again. */
  update(scope: WorkspaceScope, id: number, { text, remind_at }: UpdateNoteDto): Promise<Note> {
    return scope.transaction(async (tx) => {
      const reminded_at = remind_at === undefined ? undefined : null;
      this.wakeWorker(tx);
      return tx.of(Note).update(id, { text, remind_at, reminded_at });
    });
  }

  private wakeWorker(tx: WorkspaceScope): void {
    const key = { workspace_id: tx.workspace_id, id: tx.workspace_id };
    tx.afterCommit(() => this.jobQueue.enqueue(REMINDING, [key]));
  }
}
