import { cachedCount, type Sql, sql, type SqlValue } from '../../platform/database/index.js';
import type { ConditionTest, Membership, OwnTest } from './condition-test.js';

/** Tests that must all be true. */
type Group = readonly ConditionTest[];

/**
 * A segment as SQL, in several equivalent forms. Which of them PostgreSQL runs fastest depends on the data (ADR 12).
 */
export interface CompiledSegment {
  /** Conditions on `record`, a contact of the workspace. */
  readonly conditions: readonly Sql[];
  /** Statements that return the number of contacts as their only value. */
  readonly counts: readonly Sql[];
  /**
   * A condition on `record`, for contacts that are known: the memberships of each are looked up, however many members a tag or
   * list has.
   */
  readonly lookup: Sql;
}

/** @param groups alternatives; a contact is in the segment if all tests of one group are true. At least one test. */
export function compile(workspace: SqlValue, groups: readonly Group[]): CompiledSegment {
  const negation = negationOf(groups);
  const complements = negation ? countsOf(workspace, negation) : [];
  return {
    conditions: conditionsOf(workspace, groups),
    counts: [
      ...countsOf(workspace, groups),
      ...complements.map((count) => sql`SELECT ${cachedCount(workspace, 'contacts')} - (${count})`),
    ],
    lookup: lookupOf(workspace, groups),
  };
}

const lookupOf = (workspace: SqlValue, groups: readonly Group[]): Sql =>
  sql.any(groups.map((group) => sql.all(group.map((test) => asLookup(workspace, withoutIndexFilter(test))))));

/** One condition for each contact, or the union of the contacts that each alternative finds with its own indexes. */
function conditionsOf(workspace: SqlValue, groups: readonly Group[]): Sql[] {
  const scans = variants(groups).map((variant) => disjunction(workspace, variant));
  return canUseUnion(groups) ? [...scans, sql`record.id IN (${union(workspace, groups)})`] : scans;
}

function countsOf(workspace: SqlValue, groups: readonly Group[]): Sql[] {
  const membership = onlyMembership(groups);
  if (membership) return [membersCount(workspace, membership)];
  const contacts = sql`SELECT count(*) FROM contacts record WHERE record.workspace_id = ${workspace}`;
  const scans = variants(groups).map((variant) => sql`${contacts} AND (${disjunction(workspace, variant)})`);
  if (!canUseUnion(groups)) return scans;
  return [...scans, sql`SELECT count(*) FROM (${union(workspace, groups)}) AS found`];
}

/** The tests in a form that can use trigram indexes, and in the cheapest form for a scan of all contacts. */
function variants(groups: readonly Group[]): (readonly Group[])[] {
  const hasOther = groups.some((group) => group.some(({ predicate }) => 'exact' in predicate));
  return hasOther ? [groups, groups.map((group) => group.map(withoutIndexFilter))] : [groups];
}

const withoutIndexFilter = (test: ConditionTest): ConditionTest =>
  'exact' in test.predicate && test.predicate.exact ? { ...test, predicate: { own: test.predicate.exact } } : test;

/** A union is only useful if the alternatives are in several tables; in one table PostgreSQL combines the indexes. */
const canUseUnion = (groups: readonly Group[]): boolean =>
  groups.length > 1 && groups.some((group) => group.some(({ predicate }) => 'membership' in predicate));

/** The membership that the segment consists of; undefined if it has other tests. */
function onlyMembership(groups: readonly Group[]): Membership | undefined {
  const only = groups.length === 1 && groups[0]?.length === 1 ? groups[0][0] : undefined;
  return only && !only.isNegated && 'membership' in only.predicate ? only.predicate.membership : undefined;
}

/** The count of one tag or list is cached. A custom field has at most one value per contact, so that no DISTINCT is needed. */
function membersCount(workspace: SqlValue, membership: Membership): Sql {
  const { table, owner } = membership;
  if (owner !== undefined) return sql`SELECT ${cachedCount(workspace, table, sql`${owner}`)}`;
  const rows = rowsOf(workspace, membership);
  if (table === 'ordered_values') return sql`SELECT count(*) FROM ${rows}`;
  return sql`SELECT count(*) FROM (SELECT DISTINCT member.contact_id FROM ${rows}) AS found`;
}

/**
 * The contacts that are not in the segment, as alternatives, if counting them may be cheaper because indexes can find the
 * negation of a test. Undefined if not, or if the negation has more tests than the segment.
 */
function negationOf(groups: readonly Group[]): Group[] | undefined {
  const tests = groups.flat();
  if (!tests.some(({ isNegated, predicate }) => isNegated || 'negation' in predicate)) return undefined;
  const negated = tests.map((test) => ({ ...test, isNegated: !test.isNegated }));
  if (groups.length === 1) return negated.map((test) => [test]);
  return groups.length === tests.length ? [negated] : undefined;
}

function disjunction(workspace: SqlValue, groups: readonly Group[]): Sql {
  const [first] = groups;
  if (groups.length === 1 && first) return sql.all(first.map((test) => asJoin(workspace, test)));
  return sql.any(groups.map((group) => sql.all(group.map((test) => asFilter(workspace, test)))));
}

function union(workspace: SqlValue, groups: readonly Group[]): Sql {
  return sql.join(
    groups.map((group) => idsOf(workspace, group)),
    ' UNION ',
  );
}

function idsOf(workspace: SqlValue, group: Group): Sql {
  const membership = onlyMembership([group]);
  if (membership) return memberIds(workspace, membership);
  const tests = sql.all(group.map((test) => asJoin(workspace, test)));
  return sql`SELECT record.id FROM contacts record WHERE record.workspace_id = ${workspace} AND ${tests}`;
}

/** A test in a conjunction. As a join, PostgreSQL can start with either table. */
function asJoin(workspace: SqlValue, { predicate, isNegated }: ConditionTest): Sql {
  if ('own' in predicate) return ownTest(predicate, isNegated);
  const exists = sql`EXISTS (SELECT 1 FROM ${rowsOf(workspace, predicate.membership)}
    AND member.contact_id = record.id${creationDateJoin(predicate.membership)})`;
  return isNegated ? sql`NOT ${exists}` : exists;
}

/** A test in a disjunction. PostgreSQL looks contacts up in a hash of the other table's contact IDs. */
function asFilter(workspace: SqlValue, { predicate, isNegated }: ConditionTest): Sql {
  if ('own' in predicate) return ownTest(predicate, isNegated);
  const isIn = sql`record.id IN (${memberIds(workspace, predicate.membership)})`;
  return isNegated ? sql`NOT ${isIn}` : isIn;
}

/** `OFFSET 0` keeps PostgreSQL from reading all members instead, to join or hash them. */
function asLookup(workspace: SqlValue, { predicate, isNegated }: ConditionTest): Sql {
  if ('own' in predicate) return ownTest(predicate, isNegated);
  const exists = sql`EXISTS (SELECT 1 FROM ${rowsOf(workspace, predicate.membership)}
    AND member.contact_id = record.id OFFSET 0)`;
  return isNegated ? sql`NOT ${exists}` : exists;
}

function ownTest({ own, negation }: OwnTest, isNegated: boolean): Sql {
  return isNegated ? (negation ?? sql`(${own}) IS NOT TRUE`) : own;
}

const memberIds = (workspace: SqlValue, membership: Membership): Sql =>
  sql`SELECT member.contact_id FROM ${rowsOf(workspace, membership)}`;

const rowsOf = (workspace: SqlValue, { table, where }: Membership): Sql =>
  sql`${sql.ref(table)} member WHERE member.workspace_id = ${workspace} AND ${where}`;

/**
 * The dates of creation are always equal. The comparison tells PostgreSQL that the index of the members of one tag or list
 * has the order of the default sort.
 */
const creationDateJoin = ({ owner }: Membership): Sql =>
  owner === undefined ? sql.empty : sql` AND member.contact_created_at = record.created_at`;
