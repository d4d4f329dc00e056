import { DatabaseError } from 'pg';

/** Names of statements by their text, the same on all connections of the process. */
const namesByText = new Map<string, string>();

let isEnabled = true;

/** How the driver is told to prepare a statement, unless the connections cannot keep one. */
export function preparedName(text: string): { name?: string } {
  if (!isEnabled) return {};
  const name = namesByText.get(text) ?? `outreach_${namesByText.size + 1}`;
  namesByText.set(text, name);
  return { name };
}

/** A statement that the server does not know, or knows already: the session is another one than we took it for. */
const LOST_SESSION_CODES = ['26000', '42P05'];

/**
 * Behind a connection pooler in transaction mode every transaction may meet another session. The first statement that
 * finds its preparation gone ends preparing for this process.
 * @returns whether that was the fault, and the work may start over
 */
export function disableAfterLostSession(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || !LOST_SESSION_CODES.includes(error.code ?? '')) return false;
  isEnabled = false;
  return true;
}
