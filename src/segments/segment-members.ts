import { Injectable } from '@nestjs/common';
import { contactRecords, type ContactRecord } from '../contacts/index.js';
import { cachedCount, type Sql, sql } from '../platform/database/index.js';
import { pageLimit, type Page, pageOfRecords, readsNext, type WorkspaceScope } from '../platform/tenancy/index.js';
import { SegmentContactsQuery } from './dto/segment-contacts.query.js';
import { countOf, findContacts, type FoundContacts } from './find-contacts.js';
import { SegmentBudget } from './segment-budget.js';
import { compileSegments } from './segment-compiler.js';
import { SegmentCounts, segmentsWithCounts } from './segment-counts.js';
import { Segment } from './segment.entity.js';
import { SegmentTooExpensive } from './segment.errors.js';

const SAMPLE_SIZE = 5;

/** The maximum number of segments in one statement. */
const MAX_SEGMENTS = 100;

/** The number of contacts in a segment, and some of them. */
export interface SegmentPreview {
  readonly count: number;
  readonly sample: readonly ContactRecord[];
}

/** The contacts of one page, and the total number. */
interface ContactRange {
  readonly total: number;
  readonly records: readonly ContactRecord[];
}

/** Reads the current contacts of segments. */
@Injectable()
export class SegmentMembers {
  constructor(
    private readonly counts: SegmentCounts,
    private readonly budget: SegmentBudget,
  ) {}

  /** Returns a page of the contacts of a segment. @throws SegmentTooExpensive, Busy */
  async page(scope: WorkspaceScope, segment: Segment, query: SegmentContactsQuery): Promise<Page<ContactRecord>> {
    const { total, records } = await this.read(scope, segment, query);
    return pageOfRecords(records, total, query);
  }

  /** Returns the number of contacts and the first five. @throws SegmentTooExpensive, Busy */
  async preview(scope: WorkspaceScope, segment: Segment): Promise<SegmentPreview> {
    const query = Object.assign(new SegmentContactsQuery(), { per_page: SAMPLE_SIZE });
    const { total, records } = await this.read(scope, segment, query);
    return { count: total, sample: records };
  }

  /**
   * Returns the conditions on `record` of those segments that exist in the workspace, one per segment, for reading the
   * contacts in the order of their creation.
   * @throws SegmentTooExpensive, also if there are more than {@link MAX_SEGMENTS}; Busy
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

  /**
   * Returns a condition on `record` for each of those segments that exist, for contacts that are known: its cost for a contact
   * does not depend on how many contacts there are.
   */
  async lookups(scope: WorkspaceScope, segmentIds: readonly number[]): Promise<Map<number, Sql>> {
    if (segmentIds.length === 0) return new Map();
    const segments = await scope.of(Segment).findByIds(segmentIds);
    const compiled = await compileSegments(scope, segments);
    return new Map(segments.map(({ id }, index) => [id, compiled[index]?.lookup ?? sql`FALSE`]));
  }

  /**
   * Runs `work` in a transaction with the limits of {@link SegmentBudget}.
   * @throws SegmentTooExpensive, Busy
   */
  within<R>(scope: WorkspaceScope, work: (tx: WorkspaceScope) => Promise<R>): Promise<R> {
    return this.budget.run(scope, work);
  }

  private read(scope: WorkspaceScope, { id }: Segment, query: SegmentContactsQuery): Promise<ContactRange> {
    return this.within(scope, async (tx) => {
      const segment = await segmentsWithCounts(tx).get(id);
      const [compiled] = await compileSegments(tx, [segment]);
      if (!compiled) throw new Error('The segment was not compiled.');
      const filters = [...query.clauses(tx), ...(await query.searchIn(tx))];
      const conditions = compiled.conditions.map((condition) => sql.all([condition, ...filters]));
      const found =
        filters.length === 0 ? await this.counts.find(tx, segment, compiled) : await findContacts(tx, conditions);
      return { total: found.total, records: await readRange(tx, conditions, query, found) };
    });
  }
}

/** Reads the contacts of one page. @param conditions equivalent conditions on `record` */
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
    const found = await contacts.pageRows(query, conditions.slice(0, 1), { walk });
    if (found.length === pageLimit(query) || isLastPage(query, total, found.length)) return found;
    return contacts.pageRows(query, conditions.slice(0, 1), 'as planned');
  }
  const [cheapest] = await tx.cheapest([conditions.map((condition) => countOf(tx, condition))]);
  const chosen = conditions.filter((condition) => cheapest?.mentions(condition));
  return contacts.pageRows(query, chosen, 'filter first');
}

/** Of a page with a cursor, it is unknown how many contacts precede it. */
const isLastPage = (query: SegmentContactsQuery, total: number, found: number): boolean =>
  !readsNext(query) && found === total - query.offset;

/** The limit is several times the number of contacts that fills the page if the segment is spread evenly. */
const WALK_FACTOR = 4;
const MIN_WALK = 500;

/**
 * Returns how many contacts to read at most, in the order of the list, to fill the page with contacts of the segment.
 * Undefined if that is more than the segment has, because it is cheaper then to find all of its contacts and sort them.
 */
async function walkLimit(
  tx: WorkspaceScope,
  { offset, per_page: size }: SegmentContactsQuery,
  total: number,
): Promise<number | undefined> {
  const [row] = await tx.query<{ all: number }>(sql`SELECT ${cachedCount(tx, 'contacts')} AS all`);
  const needed = Math.ceil(((offset + size) * (row?.all ?? 0)) / total);
  return needed > total ? undefined : MIN_WALK + WALK_FACTOR * needed;
}
