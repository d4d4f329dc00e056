import { Injectable } from '@nestjs/common';
import { StatementTimedOut } from '@outreach/database';
import { sql, type Sql } from '../platform/database/index.js';
import { TooManyRequests } from '@outreach/http-errors';
import type { ListQuery, Page, ScopedRepository, WorkspaceScope } from '../platform/tenancy/index.js';
import type { CompiledSegment } from './conditions/index.js';
import { findContacts, type FoundContacts } from './find-contacts.js';
import { SegmentBudget } from './segment-budget.js';
import { compileSegments } from './segment-compiler.js';
import {
  contactChanges,
  type CountedSegment,
  type FoundCount,
  storeCounts,
  storeSlowCounts,
  type StoredCount,
  storedCountColumns,
} from './segment-counts.queries.js';
import { Segment } from './segment.entity.js';

/**
 * Counts the contacts of segments. A count is stored with the number of changes to the workspace's contacts at that
 * time. After further changes the segment is counted again.
 */
@Injectable()
export class SegmentCounts {
  constructor(private readonly budget: SegmentBudget) {}

  /** Returns a segment with its current count. `tx` sets the timeout. @throws StatementTimedOut */
  async count(tx: WorkspaceScope, id: number): Promise<CountedSegment> {
    const segment = await segmentsWithCounts(tx).get(id);
    if (segment.is_current) return segment;
    return withFound(segment, await this.recount(tx, [segment]));
  }

  /**
   * Returns the number of contacts of a segment, and their IDs if the search found them.
   * @param compiled the compiled `segment`
   * @throws StatementTimedOut
   */
  async find(
    tx: WorkspaceScope,
    segment: CountedSegment,
    compiled: CompiledSegment,
  ): Promise<Omit<FoundContacts, 'changes'>> {
    if (segment.is_current) return { total: segment.contacts_count };
    const startedAt = performance.now();
    const found = await findContacts(tx, compiled.conditions, compiled.counts);
    const took = Math.ceil(performance.now() - startedAt);
    await storeCounts(tx, [{ segment, contacts_count: found.total, took_ms: took }], found.changes);
    return found;
  }

  /** Returns a segment with its current count, or with the stored one if counting takes too long. @throws NotFound */
  async get(scope: WorkspaceScope, id: number): Promise<CountedSegment> {
    const segment = await segmentsWithCounts(scope).get(id);
    if (segment.is_current) return segment;
    return withFound(segment, await this.tryToRecount(scope, [segment], this.budget.statementTimeoutMs));
  }

  /**
   * Returns a page of segments. One statement counts those whose count is out of date, as many as its timeout allows.
   * The others have the stored count.
   */
  async page(scope: WorkspaceScope, query: ListQuery): Promise<Page<CountedSegment>> {
    const page = await segmentsWithCounts(scope).page(query);
    const stale = affordable(
      page.data.filter((segment) => !segment.is_current),
      this.budget.listTimeoutMs / 2,
    );
    if (stale.length === 0) return page;
    const found = await this.tryToRecount(scope, stale, this.budget.listTimeoutMs);
    return page.map((segment) => withFound(segment, found));
  }

  /** @returns an empty array if it takes too long, or if too many calls are waiting already */
  private async tryToRecount(
    scope: WorkspaceScope,
    segments: readonly Segment[],
    timeoutMs: number,
  ): Promise<FoundCount[]> {
    try {
      return await this.budget.within(scope, timeoutMs, (tx) => this.recount(tx, segments));
    } catch (error) {
      if (error instanceof TooManyRequests) return [];
      if (!(error instanceof StatementTimedOut)) throw error;
      // Any of them may be the slow one. A higher time makes the next batches smaller, until the slow one is alone.
      const ids = segments.map(({ id }) => id);
      await storeSlowCounts(scope, ids, Math.ceil(timeoutMs / ids.length));
      return [];
    }
  }

  private async recount(tx: WorkspaceScope, segments: readonly Segment[]): Promise<FoundCount[]> {
    const startedAt = performance.now();
    const compiled = await compileSegments(tx, segments);
    const statements = await tx.cheapest(compiled.map(({ counts }) => counts));
    const { changes, counts } = await countAll(tx, statements);
    const took = Math.ceil((performance.now() - startedAt) / segments.length);
    const found = segments.map((segment, index): FoundCount => {
      return { segment, contacts_count: counts[index] ?? 0, took_ms: took };
    });
    await storeCounts(tx, found, changes);
    return found;
  }
}

/** Segments with their stored counts. */
export const segmentsWithCounts = (scope: WorkspaceScope): ScopedRepository<Segment, StoredCount> =>
  scope.of(Segment).withColumns<StoredCount>(storedCountColumns(scope));

/** Returns the segment with its new count, or unchanged if `found` does not contain it. */
function withFound(segment: CountedSegment, found: readonly FoundCount[]): CountedSegment {
  const own = found.find((count) => count.segment.id === segment.id);
  return own ? { ...segment, contacts_count: own.contacts_count, is_current: true } : segment;
}

/** One statement, so that the counts and the number of changes are from the same snapshot. */
async function countAll(tx: WorkspaceScope, counts: readonly Sql[]): Promise<{ changes: number; counts: number[] }> {
  const [row] = await tx.query<{ changes: number; counts: number[] }>(
    sql`SELECT ${contactChanges(tx)} AS changes,
          to_json(ARRAY[${sql.join(counts.map((count) => sql`(${count})`))}]::bigint[]) AS counts`,
  );
  if (!row) throw new Error('The statement returned no row.');
  return row;
}

/**
 * Selects as many segments as can be counted in `maxMs` by the time of their last count, the oldest counts first; at
 * least one. Segments that take longer than `maxMs` alone come last, so that they do not delay the others.
 */
function affordable(stale: readonly CountedSegment[], maxMs: number): CountedSegment[] {
  const cost = ({ took_ms: took }: CountedSegment): number => Math.max(took, maxMs);
  const age = (segment: CountedSegment): number => segment.contacts_counted_at.getTime();
  let left = maxMs;
  return [...stale]
    .sort((one, other) => cost(one) - cost(other) || age(one) - age(other))
    .filter(({ took_ms: took }, index) => {
      if (index > 0 && took > left) return false;
      left -= took;
      return true;
    });
}
