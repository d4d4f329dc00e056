import { DatabaseError } from 'pg';

/** Names of statements by their text, the same on all connections of the process. */
const names = new Map<string, string>();

let isPossible = true;

/** How the driver is told to prepare a statement, unless the connections cannot keep one. */
export function preparedAs(text: string): { name?: string } {
  if (!isPossible) return {};
  const name = names.get(text) ?? `outreach_${names.size + 1}`;
  names.set(text, name);
  return { name };
}

/** A statement that the server does not know, or knows already: the session is another one than we took it for. */
const ANOTHER_SESSION = ['26000', '42P05'];

/**
 * Behind a connection pooler in transaction mode every transaction may meet another session. The first statement that
 * finds its preparation gone ends preparing for this process.
 * @returns whether that was the fault, and the work may start over
 */
export function withoutPreparing(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || !ANOTHER_SESSION.includes(error.code ?? '')) return false;
  isPossible = false;
  return true;
}
