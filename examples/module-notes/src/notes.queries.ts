import { type Sql, sql, type WorkspaceScope, type WorkspacesInTime, workspaceRotation } from 'outreach/extension';

/** The notes on a contact. */
export const notesOf = (scope: WorkspaceScope, contactId: number): Sql =>
  sql`SELECT * FROM notes_notes WHERE workspace_id = ${scope} AND contact_id = ${contactId} ORDER BY id`;

/** The workspaces with due reminders, as job keys; they take turns. */
export const dueWorkspaces = (workspaces: WorkspacesInTime): Sql =>
  sql`SELECT note.workspace_id, note.workspace_id AS id FROM notes_notes note
      WHERE note.reminded_at IS NULL AND note.remind_at <= ${workspaces.now(sql`note.workspace_id`)}
        ${workspaces.within(sql`note.workspace_id`)}
      GROUP BY note.workspace_id ${workspaceRotation(sql`note.workspace_id`)}`;

/** Marks at most `limit` due reminders. A note that another worker marks is left out. Returns their IDs. */
export const markDue = (scope: WorkspaceScope, limit: number): Sql =>
  sql`WITH due AS MATERIALIZED (
        SELECT note.id FROM notes_notes note
        WHERE note.workspace_id = ${scope} AND note.reminded_at IS NULL AND note.remind_at <= ${scope.now}
        ORDER BY note.remind_at, note.id LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      UPDATE notes_notes note SET reminded_at = ${scope.now} FROM due
      WHERE note.workspace_id = ${scope} AND note.id = due.id
      RETURNING note.id`;
