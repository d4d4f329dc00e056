import fc from 'fast-check';
import { contactRecords, contactView } from '../../src/contacts/index.js';
import { sql } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import type { Condition } from '../../src/segments/conditions/index.js';
import { compileSegments } from '../../src/segments/segment-compiler.js';
import { useDatabase } from '../support/database.js';
import { isInSegment, type ShownContact, type ShownSegment } from '../support/segment-evaluator.js';
import { contactsOf } from './random-contacts.js';
import {
  conditionOf,
  kindsOf,
  someCondition,
  someSegment,
  someStaleCondition,
  type Workspace,
} from './random-segments.js';
import { writeWorkspace } from './written-workspace.js';

/** For another seed or more runs: `SEGMENT_SEED=7 SEGMENT_RUNS=5000 npm test -- segments/conditions`. */
const SEED = Number(process.env.SEGMENT_SEED ?? 20_261_121);
const RUNS = Number(process.env.SEGMENT_RUNS ?? 200);
const CONTACTS = 300;
/** The number of values that each operator of a field is tested with. */
const VALUES = Math.ceil(RUNS / 40);

describe('all SQL forms of a segment', () => {
  const fixture = useDatabase(2);
  let scope: WorkspaceScope;
  let workspace: Workspace;

  beforeAll(async () => {
    const others = await writeWorkspace(fixture.testDatabase, contactsOf(50, SEED + 1), SEED + 1);
    const own = await writeWorkspace(fixture.testDatabase, contactsOf(CONTACTS, SEED), SEED);
    scope = await WorkspaceScope.open(own.id, fixture.database);
    const shown = (await contactRecords(scope).find({})).map((contact) => contactView.toJson(contact));
    workspace = { ...own, contacts: JSON.parse(JSON.stringify(shown)) as ShownContact[] };
    expect(others.id).not.toBe(own.id);
    expect(workspace.contacts).toHaveLength(CONTACTS);
  });

  /** The result of each form: IDs of the conditions, numbers of the counts. */
  async function found(segment: ShownSegment, tx: WorkspaceScope): Promise<{ ids: number[][]; counts: number[] }> {
    const [compiled] = await compileSegments(tx, [{ ...segment, conditions: segment.conditions.map(stored) }]);
    if (!compiled) throw new Error('One segment compiles to one.');
    const ids = [...compiled.conditions, compiled.lookup].map(
      (condition) => sql`ARRAY(SELECT record.id FROM contacts record
        WHERE record.workspace_id = ${tx} AND (${condition}) ORDER BY record.id)`,
    );
    const [row] = await tx.query<{ ids: number[][]; counts: number[] }>(
      sql`SELECT json_build_array(${sql.join(ids)}) AS ids,
            json_build_array(${sql.join(compiled.counts.map((count) => sql`(${count})`))}) AS counts`,
    );
    if (!row) throw new Error('The statement returns one row.');
    return row;
  }

  const expected = (segment: ShownSegment): number[] =>
    workspace.contacts.filter((contact) => isInSegment(contact, segment, workspace.types)).map(({ id }) => id);

  async function compare(segment: ShownSegment, byIndexes: boolean): Promise<number> {
    const ids = expected(segment);
    const ways = await fixture.database.transaction(async (tx) => {
      await tx.query(sql`SELECT set_config('enable_seqscan', ${byIndexes ? 'off' : 'on'}, TRUE)`);
      return found(segment, await WorkspaceScope.open(scope.workspace_id, tx));
    });
    for (const way of ways.ids) expect(way).toEqual(ids);
    for (const count of ways.counts) expect(count).toBe(ids.length);
    return ids.length;
  }

  /** @returns the number of segments with some but not all contacts */
  async function compareAll(segments: fc.Arbitrary<ShownSegment>, runs: number): Promise<number> {
    let selective = 0;
    const property = fc.asyncProperty(segments, fc.boolean(), async (segment, byIndexes) => {
      const size = await compare(segment, byIndexes);
      if (size > 0 && size < CONTACTS) selective += 1;
    });
    await fc.assert(property, { seed: SEED, numRuns: runs });
    return selective;
  }

  it('find the same contacts as the reference implementation for every operator of every field', async () => {
    for (const kind of kindsOf(workspace)) {
      for (const operator of kind.operators) {
        const condition = conditionOf({ ...kind, operators: [operator] });
        const segment = condition.map((one): ShownSegment => ({ match_type: 'all', conditions: [one] }));
        await compareAll(segment, operator.endsWith('empty') ? 1 : VALUES);
      }
    }
  });

  it('find the same contacts as the reference implementation for random segments', async () => {
    const selective = await compareAll(someSegment(someCondition(workspace)), RUNS);
    expect(selective).toBeGreaterThan(RUNS / 2);
  });

  it('find no contact, or all if negated, for stored conditions that have become invalid', async () => {
    const condition = fc.oneof(someStaleCondition, someCondition(workspace));
    const selective = await compareAll(someSegment(condition), Math.ceil(RUNS / 4));
    expect(selective).toBeGreaterThan(RUNS / 16);
  });
});

const stored = ({ field, operator, value, connector }: ShownSegment['conditions'][number]): Condition => ({
  field,
  operator: operator as Condition['operator'],
  value: value ?? null,
  connector: connector ?? null,
});
