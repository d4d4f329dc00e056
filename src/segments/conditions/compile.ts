import { cachedCount, type Sql, sql, type SqlValue } from '../../platform/database/index.js';
import type { ConditionTest, Membership, OwnTest } from './condition-test.js';

/** Tests that must all hold. */
type Group = readonly ConditionTest[];

/**
 * A segment in SQL, in more ways than one: they all mean the same, and which of them PostgreSQL answers soonest depends
 * on the data.
 */
export interface CompiledSegment {
  /** Conditions on `record`, a contact of the workspace. */
  readonly conditions: readonly Sql[];
  /** Statements that give the number of contacts as their one value. */
  readonly counts: readonly Sql[];
}

/** @param groups alternatives, each of tests that must all hold; some test at least */
export function compile(workspace: SqlValue, groups: readonly Group[]): CompiledSegment {
  const negation = negationOf(groups);
  const complements = negation ? countsOf(workspace, negation) : [];
  return {
    conditions: conditionsOf(workspace, groups),
    counts: [
      ...countsOf(workspace, groups),
      ...complements.map((count) => sql`SELECT ${cachedCount(workspace, 'contacts')} - (${count})`),
    ],
  };
}

/** Either as one test of every contact, or as the union of those that each alternative finds by its own indexes. */
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

/** The tests as they lead to indexes, and as they are least work where every contact is looked at. */
function variants(groups: readonly Group[]): (readonly Group[])[] {
  const hasOther = groups.some((group) => group.some(({ holds }) => 'exact' in holds));
  return hasOther ? [groups, groups.map((group) => group.map(withoutIndexFilter))] : [groups];
}

const withoutIndexFilter = (test: ConditionTest): ConditionTest =>
  'exact' in test.holds && test.holds.exact ? { ...test, holds: { own: test.holds.exact } } : test;

/** Only rows of several tables cannot be found by the indexes of one. */
const canUseUnion = (groups: readonly Group[]): boolean =>
  groups.length > 1 && groups.some((group) => group.some(({ holds }) => 'membership' in holds));

/** The rows of another table, where nothing else is asked. */
function onlyMembership(groups: readonly Group[]): Membership | undefined {
  const only = groups.length === 1 && groups[0]?.length === 1 ? groups[0][0] : undefined;
  return only && !only.isNegated && 'membership' in only.holds ? only.holds.membership : undefined;
}

/** Of one tag or list it need not be counted; a custom field has one value of each contact. */
function membersCount(workspace: SqlValue, membership: Membership): Sql {
  const { table, owner } = membership;
  if (owner !== undefined) return sql`SELECT ${cachedCount(workspace, table, sql`${owner}`)}`;
  const rows = rowsOf(workspace, membership);
  if (table === 'ordered_values') return sql`SELECT count(*) FROM ${rows}`;
  return sql`SELECT count(*) FROM (SELECT DISTINCT member.contact_id FROM ${rows}) AS found`;
}

/**
 * The contacts that are not in the segment, as alternatives too, where counting them may be less work: indexes
 * find the negation of a test, and the negation of the whole needs no more tests than the whole.
 */
function negationOf(groups: readonly Group[]): Group[] | undefined {
  const tests = groups.flat();
  if (!tests.some(({ isNegated, holds }) => isNegated || 'negation' in holds)) return undefined;
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

/** A test beside others that must hold: PostgreSQL joins the other table from either end. */
function asJoin(workspace: SqlValue, { holds, isNegated }: ConditionTest): Sql {
  if ('own' in holds) return ownTest(holds, isNegated);
  const exists = sql`EXISTS (SELECT 1 FROM ${rowsOf(workspace, holds.membership)} AND member.contact_id = record.id${creationDateJoin(holds.membership)})`;
  return isNegated ? sql`NOT ${exists}` : exists;
}

/** A test that others may replace: PostgreSQL looks it up in a hash of the other table's contacts. */
function asFilter(workspace: SqlValue, { holds, isNegated }: ConditionTest): Sql {
  if ('own' in holds) return ownTest(holds, isNegated);
  const isIn = sql`record.id IN (${memberIds(workspace, holds.membership)})`;
  return isNegated ? sql`NOT ${isIn}` : isIn;
}

function ownTest({ own, negation }: OwnTest, isNegated: boolean): Sql {
  return isNegated ? (negation ?? sql`(${own}) IS NOT TRUE`) : own;
}

const memberIds = (workspace: SqlValue, membership: Membership): Sql =>
  sql`SELECT member.contact_id FROM ${rowsOf(workspace, membership)}`;

const rowsOf = (workspace: SqlValue, { table, where }: Membership): Sql =>
  sql`${sql.ref(table)} member WHERE member.workspace_id = ${workspace} AND ${where}`;

/**
 * That both dates of creation are equal goes without saying, but tells PostgreSQL that the members of one tag or list
 * stand in its index in the order of the default sort.
 */
const creationDateJoin = ({ owner }: Membership): Sql =>
  owner === undefined ? sql.empty : sql` AND member.contact_created_at = record.created_at`;
