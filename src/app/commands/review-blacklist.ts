import { classifyRefusal } from '@outreach/refusals';
import { type CommandReport, table } from '@outreach/command-line';
import { NotFound } from '@outreach/http-errors';
import { timestamp } from '@outreach/http-api/responses';
import { BlacklistEntry } from '../../blacklist/index.js';
import type { Database } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Workspaces } from '../../workspaces/index.js';
import { findBounceEntries, reactivateContacts, type BounceEntry } from './review-blacklist.queries.js';
import { withDatabase } from './with-database.js';

/** An entry whose stored words say nothing of a dead address. */
interface WrongEntry extends BounceEntry {
  readonly workspace_id: number;
  /** The words of the latest refusal. */
  readonly reason: string;
}

/** What a review has found. */
interface Review {
  readonly wrong: WrongEntry[];
  /** Entries whose messages were deleted, so that nothing is known of them. */
  withoutWords: number;
}

/**
 * `outreach blacklist review`: lists the entries for bounces of all workspaces whose stored words would no longer be a hard
 * bounce.
 * @param isConfirmed removes the entries, and makes contacts with these addresses active that had bounced
 */
export async function reviewBlacklist(isConfirmed: boolean): Promise<CommandReport> {
  const { wrong, withoutWords } = await withDatabase((database) => reviewBounces(database, isConfirmed));
  const json = {
    entries: wrong.map(({ workspace_id, email, created_at, reason }) => ({
      ...{ workspace_id, email, reason },
      created_at: timestamp(created_at),
    })),
    without_words: withoutWords,
    removed: isConfirmed ? wrong.length : 0,
  };
  return { json, text: textOf(wrong, withoutWords, isConfirmed) };
}

/** Reviews the entries of all workspaces. @param isConfirmed removes those that are wrong */
export async function reviewBounces(database: Database, isConfirmed: boolean): Promise<Review> {
  const workspaces = new Workspaces(database.withoutTimeLimits());
  const review: Review = { wrong: [], withoutWords: 0 };
  for (const { id } of await workspaces.list()) {
    const scope = await scopeOf(workspaces, id);
    const found = scope ? await reviewWorkspace(scope, review) : [];
    if (scope && isConfirmed && found.length > 0) await removeEntries(scope, found);
  }
  return review;
}

/** Returns undefined for a workspace that is being deleted. */
async function scopeOf(workspaces: Workspaces, id: number): Promise<WorkspaceScope | undefined> {
  try {
    return await workspaces.scope(id);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

async function reviewWorkspace(scope: WorkspaceScope, review: Review): Promise<WrongEntry[]> {
  const found: WrongEntry[] = [];
  let chunk = await findBounceEntries(scope, 0);
  while (chunk.length > 0) {
    for (const entry of chunk) {
      const [reason] = entry.reasons;
      if (reason === undefined) review.withoutWords += 1;
      else if (!entry.reasons.some(saysDead)) found.push({ ...entry, workspace_id: scope.workspace_id, reason });
    }
    chunk = await findBounceEntries(scope, chunk.at(-1)?.id ?? 0);
  }
  review.wrong.push(...found);
  return found;
}

const saysDead = (text: string): boolean => classifyRefusal({ text }).cause === 'dead_address';

const removeEntries = (scope: WorkspaceScope, entries: readonly WrongEntry[]): Promise<void> =>
  scope.transaction(async (tx) => {
    for (const { id } of entries) await tx.of(BlacklistEntry).delete(id);
    await reactivateContacts(
      tx,
      entries.map(({ email }) => email),
    );
  });

function textOf(wrong: readonly WrongEntry[], withoutWords: number, isConfirmed: boolean): string {
  const unknown =
    withoutWords > 0 ? `\nOf ${withoutWords} more the words of the server are not stored; they stay.` : '';
  if (wrong.length === 0) return `No entry for a bounce contradicts its stored words.${unknown}`;
  const rows = wrong.map((entry) => [
    String(entry.workspace_id),
    timestamp(entry.created_at),
    entry.email,
    entry.reason,
  ]);
  const end = isConfirmed
    ? `Removed ${wrong.length} entries; contacts that had bounced are active again.`
    : `Nothing was removed. To remove these ${wrong.length} entries, repeat the command with --yes.`;
  return `${table(['WORKSPACE', 'CREATED', 'EMAIL', 'WORDS'], rows)}\n${end}${unknown}`;
}
