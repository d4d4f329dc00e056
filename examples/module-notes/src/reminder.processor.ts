import {
  type ClockWork,
  Database,
  DomainEvents,
  DrainProcessor,
  drainOptions,
  GoesByClock,
  Injectable,
  JobQueue,
  KnownIds,
  Log,
  Processor,
  type Sql,
  sql,
  type WorkspaceScope,
  type WorkspacesInTime,
} from 'outreach/extension';
import { dueWorkspaces, markDue } from './notes.queries.js';

export const REMINDING = 'notes-reminding';
/** In how many workspaces a process works at the same time. */
const MAX_WORKSPACES = 2;
const BATCH = 100;

/** Publishes an event for each reminder whose time has come. */
@Processor(REMINDING, drainOptions(MAX_WORKSPACES))
export class ReminderProcessor extends DrainProcessor {
  constructor(
    private readonly events: DomainEvents,
    database: Database,
    jobQueue: JobQueue,
    log: Log,
  ) {
    super(REMINDING, MAX_WORKSPACES, { database, jobQueue, log });
  }

  protected override dueKeys(workspaces: WorkspacesInTime): Sql {
    return dueWorkspaces(workspaces);
  }

  /** One batch, so that other workspaces have a turn. */
  protected override drain(scope: WorkspaceScope): Promise<'done' | 'more'> {
    return scope.transaction(async (tx) => {
      const due = await tx.query<{ id: number }>(markDue(tx, BATCH));
      if (due.length === 0) return 'done';
      await this.events.publish(tx, 'notes.due', { notes: new KnownIds(due.map(({ id }) => id)) });
      return due.length < BATCH ? 'done' : 'more';
    });
  }
}

/** Lets the clock of a sandbox stop at each reminder. */
@Injectable()
export class ReminderClockWork {
  @GoesByClock()
  reminders(scope: WorkspaceScope): ClockWork {
    const of = sql`FROM notes_notes note WHERE note.workspace_id = ${scope} AND note.reminded_at IS NULL`;
    return {
      isPending: sql`EXISTS (SELECT 1 ${of} AND note.remind_at <= ${scope.now})`,
      next: sql`SELECT min(note.remind_at) ${of} AND note.remind_at > ${scope.now}`,
    };
  }
}
