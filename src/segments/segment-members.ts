import { Injectable } from '@nestjs/common';
import { contactRecords, type ContactRecord, type ContactSort } from '../contacts/index.js';
import { cachedCount, type Sql, sql } from '../platform/database/index.js';
import { Page, type WorkspaceScope } from '../platform/tenancy/index.js';
import { SegmentContactsQuery } from './dto/segment-contacts.query.js';
import { countOf, findContacts, type FoundContacts } from './find-contacts.js';
import { SegmentBudget } from './segment-budget.js';
import { compileSegments } from './segment-compiler.js';
import { SegmentCounts, segmentsWithCounts } from './segment-counts.js';
import { Segment } from './segment.entity.js';
import { SegmentTooExpensive } from './segment.errors.js';

const SAMPLE_SIZE = 5;

/** Segments in one statement. */
const MAX_SEGMENTS = 100;

/** What a segment holds, at a glance. */
export interface SegmentPreview {
  readonly count: number;
  readonly sample: readonly ContactRecord[];
}

/** Records of a list, and how many there are in all. */
interface ContactRange {
  readonly total: number;
  readonly records: readonly ContactRecord[];
}

/** Who is in a segment, now. */
@Injectable()
export class SegmentMembers {
  constructor(
    private readonly counts: SegmentCounts,
    private readonly budget: SegmentBudget,
  ) {}

  /** @throws ValidationFailed when the query refers to a record of elsewhere; SegmentTooExpensive, TooManyRequests */
  async page(scope: WorkspaceScope, segment: Segment, query: SegmentContactsQuery): Promise<Page<ContactRecord>> {
    await contactRecords(scope).requireReferences(query);
    const { total, records } = await this.read(scope, segment, query);
    return new Page(records, total, query);
  }

  /** @throws SegmentTooExpensive, TooManyRequests */
  async preview(scope: WorkspaceScope, segment: Segment): Promise<SegmentPreview> {
    const query = Object.assign(new SegmentContactsQuery(), { per_page: SAMPLE_SIZE });
    const { total, records } = await this.read(scope, segment, query);
    return { count: total, sample: records };
  }

  /**
   * The contacts of those of the segments that are the workspace's, for whoever walks through them in the order of
   * their creation: conditions on `record`, one for each segment.
   * @throws SegmentTooExpensive, also where they are more than one statement can take; TooManyRequests
   */
  async conditions(scope: WorkspaceScope, segmentIds: readonly number[]): Promise<Sql[]> {
    if (segmentIds.length === 0) return [];
    const segments = await scope.of(Segment).findByIds(segmentIds);
    if (segments.length > MAX_SEGMENTS) throw new SegmentTooExpensive();
    return this.within(scope, async (tx) => {
      const compiled = await compileSegments(tx, segments);
      const chosen = await tx.cheapest(
        compiled.map(({ conditions }) => conditions.map((condition) => countOf(tx, condition))),
      );
      return compiled.flatMap(({ conditions }, index) =>
        conditions.filter((condition) => chosen[index]?.mentions(condition)).slice(0, 1),
      );
    });
  }

  /** Runs work on {@link conditions} within the time that a segment may take. @throws SegmentTooExpensive, TooManyRequests */
  within<R>(scope: WorkspaceScope, work: (tx: WorkspaceScope) => Promise<R>): Promise<R> {
    return this.budget.spend(scope, work);
  }

  private read(scope: WorkspaceScope, { id }: Segment, query: SegmentContactsQuery): Promise<ContactRange> {
    return this.within(scope, async (tx) => {
      const segment = await segmentsWithCounts(tx).get(id);
      const [compiled] = await compileSegments(tx, [segment]);
      if (!compiled) throw new Error('One segment is one.');
      const filters = [...query.clauses(), ...(await query.searchIn(tx))];
      const conditions = compiled.conditions.map((condition) => sql.all([condition, ...filters]));
      const found =
        filters.length === 0 ? await this.counts.find(tx, segment, compiled) : await findContacts(tx, conditions);
      return { total: found.total, records: await readRange(tx, conditions, query, found) };
    });
  }
}

/** @param conditions ways to say the same of `record` */
async function readRange(
  tx: WorkspaceScope,
  conditions: readonly Sql[],
  query: SegmentContactsQuery,
  { total, ids }: Pick<FoundContacts, 'total' | 'ids'>,
): Promise<ContactRecord[]> {
  if (total <= query.offset) return [];
  const contacts = contactRecords(tx);
  if (ids) return contacts.pageRows(query, [sql`record.id = ANY(${[...ids]}::bigint[])`], 'filter first');
  const walk = await walkLimit(tx, query, total);
  if (walk !== undefined) {
    const met = await contacts.pageRows(query, conditions.slice(0, 1), { walk });
    if (met.length === Math.min(query.per_page, total - query.offset)) return met;
    return contacts.pageRows(query, conditions.slice(0, 1), 'as planned');
  }
  const [cheapest] = await tx.cheapest([conditions.map((condition) => countOf(tx, condition))]);
  const chosen = conditions.filter((condition) => cheapest?.mentions(condition));
  return contacts.pageRows(query, chosen, 'filter first');
}

/** Sorts along which an index leads. */
const WALKABLE: ReadonlySet<string> = new Set<ContactSort>(['created_at', 'updated_at', 'email']);

/** As many contacts are walked through as should be enough for several pages, were the segment's spread evenly. */
const WALK_FACTOR = 4;
const MIN_WALK = 500;

/**
 * How many contacts to walk through, in the order of the list, to fill the page with those of the segment. Where they
 * would be more than there are in the segment it is less work to find all of these: undefined.
 */
async function walkLimit(
  tx: WorkspaceScope,
  { offset, per_page: size, sort }: SegmentContactsQuery,
  total: number,
): Promise<number | undefined> {
  if (sort === undefined || !WALKABLE.has(sort)) return undefined;
  const [row] = await tx.query<{ all: number }>(sql`SELECT ${cachedCount(tx, 'contacts')} AS all`);
  const met = Math.ceil(((offset + size) * (row?.all ?? 0)) / total);
  return met > total ? undefined : MIN_WALK + WALK_FACTOR * met;
}
