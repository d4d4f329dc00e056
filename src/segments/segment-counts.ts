import { Injectable } from '@nestjs/common';
import { type Sql, sql, StatementTimedOut } from '../platform/database/index.js';
import { TooManyRequests } from '../platform/errors/index.js';
import type { ListQuery, Page, ScopedRepository, WorkspaceScope } from '../platform/tenancy/index.js';
import type { CompiledSegment } from './conditions/index.js';
import { findContacts, type FoundContacts } from './find-contacts.js';
import { MAX_STATEMENT_MS, SegmentBudget } from './segment-budget.js';
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

/** The longest that all counts of one page of segments may take: a list is a glance, and waits for none of them. */
const MAX_LIST_MS = 2000;

/**
 * The numbers of contacts in segments. A number is kept with the count of changes to the workspace's contacts that it
 * was found at, and found anew once there are more.
 */
@Injectable()
export class SegmentCounts {
  constructor(private readonly budget: SegmentBudget) {}

  /** Within the transaction of `tx`, which limits its statements. @throws StatementTimedOut */
  async count(tx: WorkspaceScope, id: number): Promise<CountedSegment> {
    const segment = await segmentsWithCounts(tx).get(id);
    if (segment.is_current) return segment;
    return withFound(segment, await this.recount(tx, [segment]));
  }

  /**
   * How many contacts the segment has, and perhaps who they are.
   * @param compiled from the same `segment`
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

  /** One segment, with the last known number where finding a newer one takes too long. */
  async get(scope: WorkspaceScope, id: number): Promise<CountedSegment> {
    const segment = await segmentsWithCounts(scope).get(id);
    if (segment.is_current) return segment;
    return withFound(segment, await this.tryToRecount(scope, [segment], MAX_STATEMENT_MS));
  }

  /**
   * A page of segments. Numbers that are out of date are found by one statement, as far as they fit into its time; the
   * others stay what they were.
   */
  async page(scope: WorkspaceScope, query: ListQuery): Promise<Page<CountedSegment>> {
    const page = await segmentsWithCounts(scope).page(query);
    const stale = affordable(page.data.filter((segment) => !segment.is_current));
    if (stale.length === 0) return page;
    const found = await this.tryToRecount(scope, stale, MAX_LIST_MS);
    return page.map((segment) => withFound(segment, found));
  }

  /** @returns nothing where it takes too long, or where too many wait for their turn already */
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
      // Who of them was slow is not known: next time they are fewer, until the slow one is on its own.
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

/** Segments with what is known of their numbers of contacts. */
export const segmentsWithCounts = (scope: WorkspaceScope): ScopedRepository<Segment, StoredCount> =>
  scope.of(Segment).withColumns<StoredCount>(storedCountColumns(scope));

/** The segment with its number among those that were found just now; as it is where there is none. */
function withFound(segment: CountedSegment, found: readonly FoundCount[]): CountedSegment {
  const own = found.find((count) => count.segment.id === segment.id);
  return own ? { ...segment, contacts_count: own.contacts_count, is_current: true } : segment;
}

/** In one statement, so that the numbers belong to the changes that it sees. */
async function countAll(tx: WorkspaceScope, counts: readonly Sql[]): Promise<{ changes: number; counts: number[] }> {
  const [row] = await tx.query<{ changes: number; counts: number[] }>(
    sql`SELECT ${contactChanges(tx)} AS changes,
          to_json(ARRAY[${sql.join(counts.map((count) => sql`(${count})`))}]::bigint[]) AS counts`,
  );
  if (!row) throw new Error('The statement gives one row.');
  return row;
}

const AFFORDABLE_MS = MAX_LIST_MS / 2;

/**
 * As many numbers as fit into a list's time by what they took the last time, the oldest first; one at least. Those that
 * do not fit even alone come last, so that none of the others waits for them.
 */
function affordable(stale: readonly CountedSegment[]): CountedSegment[] {
  const cost = ({ took_ms: took }: CountedSegment): number => Math.max(took, AFFORDABLE_MS);
  const age = (segment: CountedSegment): number => segment.contacts_counted_at.getTime();
  let left = AFFORDABLE_MS;
  return [...stale]
    .sort((one, other) => cost(one) - cost(other) || age(one) - age(other))
    .filter(({ took_ms: took }, index) => {
      if (index > 0 && took > left) return false;
      left -= took;
      return true;
    });
}
