import { createHash } from 'node:crypto';
import { DatabaseError } from 'pg';
import type { Preparation } from '@outreach/sql-fragments';

/** The names of prepared statements by their text. */
const namesByText = new Map<string, string>();

/** How many texts the sessions of a pool prepare 'while few'. A session needs some dozen kilobytes for each. */
const MAX_VARIANTS = 100;

let isEnabled = true;

/** The texts that the sessions of a pool prepare 'while few'. */
export class PreparedVariants {
  private readonly texts = new Set<string>();

  /** Returns whether a text is one of them: it was before, or there are few. */
  admits(text: string): boolean {
    if (!this.texts.has(text) && this.texts.size < MAX_VARIANTS) this.texts.add(text);
    return this.texts.has(text);
  }
}

/**
 * A name is a digest of the text: behind a connection pooler in transaction mode, processes share sessions, and a name
 * must not stand for the statement of another process.
 * @returns the option that makes the driver prepare a statement, or none if prepared statements are disabled
 */
export function preparedName(
  text: string,
  preparation: Preparation | undefined,
  variants: PreparedVariants,
): { name?: string } {
  if (!isEnabled || preparation === undefined) return {};
  if (preparation === 'while few' && !variants.admits(text)) return {};
  const known = namesByText.get(text);
  if (known !== undefined) return { name: known };
  const name = `statement_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  namesByText.set(text, name);
  return { name };
}

/** The session does not have the prepared statement (26000), or already has one of that name (42P05). */
const LOST_SESSION_CODES = ['26000', '42P05'];

/**
 * Disables prepared statements for this process if the error says that a session does not have one. Behind a connection
 * pooler in transaction mode, each transaction may run in another session.
 * @returns whether it did, so that the work can be repeated
 */
export function disableAfterLostSession(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || !LOST_SESSION_CODES.includes(error.code ?? '')) return false;
  isEnabled = false;
  return true;
}
