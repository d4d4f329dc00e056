import { type Sql, SqlValue } from '../../platform/database/index.js';
import { compile, type CompiledSegment } from './compile.js';
import { type ConditionTest, testOf } from './condition-test.js';
import { type Operator, OPERATORS } from './condition.js';
import { type CustomFieldsByKey, findField, operatorsOf } from './fields.js';

class Workspace extends SqlValue {
  readonly sqlValue = 'the workspace';
}
const WORKSPACE = new Workspace();

const CUSTOM: CustomFieldsByKey = new Map([
  ['note', { id: 1, type: 'text' }],
  ['score', { id: 2, type: 'number' }],
  ['vip', { id: 3, type: 'boolean' }],
  ['renewal', { id: 4, type: 'date' }],
]);

/** A valid value for each field. */
const VALUES: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'x',
  full_name: 'Ada Lovelace',
  company: '%',
  phone: '+33 1',
  job_title: 'engineer',
  linkedin_url: 'linkedin.com/in/ada',
  lifecycle_stage: 'lead',
  status: 'active',
  subscribed_at: '2026-11-21',
  unsubscribed_at: '2026-11-21T08:30Z',
  created_at: '2026-11-21',
  updated_at: '2026-11-21',
  company_id: '1',
  tag_id: '2',
  list_id: '3',
  'custom_fields.note': 'note',
  'custom_fields.score': '1e21',
  'custom_fields.vip': 'true',
  'custom_fields.renewal': '2026-11-21',
  'custom_fields.gone': 'x',
};

const test = (field: string, operator: Operator): ConditionTest =>
  testOf({ field, operator, value: VALUES[field] ?? null, connector: null }, CUSTOM);

/** Every field with every operator that can be used with it. */
const EVERY = Object.keys(VALUES).flatMap((name) => {
  const field = findField(name, CUSTOM);
  return (field ? operatorsOf(field) : OPERATORS).map((operator) => ({ name, operator, test: test(name, operator) }));
});

const forms = ({ conditions, counts }: CompiledSegment): Sql[] => [...conditions, ...counts];

/** The text in each pair of parentheses and the whole text, with nested parentheses replaced by `()`. */
function levels(text: string): string[] {
  const closed: string[] = [];
  const open = [''];
  for (const character of text) {
    const level = open.pop() ?? '';
    if (character === '(') open.push(`${level}()`, '');
    else if (character === ')') closed.push(level);
    else open.push(level + character);
  }
  return [...closed, ...open];
}

/** The tables that a SELECT reads without a restriction to the workspace. */
function unrestricted(form: Sql): string[] {
  const { text, values } = form.toQuery();
  const selects = levels(text).flatMap((level) => level.split(/(?=\bSELECT\b)/));
  return selects.flatMap((select) => {
    const read = [...select.matchAll(/\b(?:FROM|JOIN)\s+([a-z_]+)\s+([a-z]+)/g)];
    return read.flatMap(([, table, alias]) => {
      const [, position] = new RegExp(`\\b${alias}\\.workspace_id = \\$(\\d+)(?!\\d)`).exec(select) ?? [];
      return values[Number(position) - 1] === WORKSPACE.sqlValue ? [] : [`${table} in ${select}`];
    });
  });
}

describe('unrestricted (the helper of this spec)', () => {
  const written = (text: string): Sql => ({ toQuery: () => ({ text, values: ['the workspace', 7] }) }) as Sql;

  it.each([
    ['SELECT 1 FROM contacts record', 1],
    ['SELECT 1 FROM contacts record WHERE record.workspace_id = $2', 1],
    ['SELECT 1 FROM contacts record WHERE record.workspace_id = $1', 0],
    ['SELECT 1 FROM contacts record WHERE record.workspace_id = $1 AND id IN (SELECT id FROM tags tag)', 1],
    ['SELECT 1 FROM tags tag UNION SELECT 1 FROM tags tag WHERE tag.workspace_id = $1', 1],
    ['SELECT 1 FROM tags tag WHERE (tag.workspace_id = $1 OR TRUE)', 1],
    ['SELECT 1 FROM tags tag JOIN lists list ON list.id = tag.id WHERE tag.workspace_id = $1', 1],
  ])('finds in %s that %d tables are not restricted to the workspace', (text, lacking) => {
    expect(unrestricted(written(text))).toHaveLength(lacking);
  });
});

describe('compile', () => {
  it.each(EVERY)('restricts every sub-select to the workspace for $name $operator', ({ test: one }) => {
    const others = [test('tag_id', 'not_equals'), test('custom_fields.score', 'equals'), test('first_name', 'equals')];
    const combined = others.flatMap((other) => [[[one, other]], [[one], [other]], [[one, other], [other]]]);
    for (const groups of [[[one]], ...combined, [[one], ...others.map((other) => [other])]]) {
      for (const form of forms(compile(WORKSPACE, groups))) expect(unrestricted(form)).toEqual([]);
    }
  });

  it('returns counts that name the workspace themselves', () => {
    for (const { test: one } of EVERY) {
      for (const groups of [[[one]], [[one], [test('tag_id', 'equals')]]]) {
        for (const count of compile(WORKSPACE, groups).counts) expect(count.mentions(WORKSPACE)).toBe(true);
      }
    }
  });

  it.each(EVERY.filter(({ test: { isNegated } }) => isNegated))(
    'returns a negated condition that is never NULL for $name $operator',
    ({ test: one }) => {
      const alone = compile(WORKSPACE, [[one]]).conditions[0]?.toQuery().text ?? '';
      const [beside = ''] = filterBeside(one).split(' OR ((FALSE))');
      for (const text of [alone, beside.slice(1, -1)]) expect(levels(text.slice(1, -1)).at(-1)).toMatch(NEVER_NULL);
    },
  );
});

/** The SQL of a test in a disjunction. */
const filterBeside = (one: ConditionTest): string => {
  const never = testOf({ field: 'custom_fields.gone', operator: 'equals', value: 'x', connector: null }, CUSTOM);
  return compile(WORKSPACE, [[one], [never]]).conditions[0]?.toQuery().text ?? '';
};

/** Columns that are NOT NULL, membership by them, or an expression that converts NULL to false. */
const NEVER_NULL =
  /^(\(\) IS NOT TRUE|NOT EXISTS \(\)|NOT record\.id IN \(\)|record\.status = ANY\(\)( AND record\.lifecycle_stage = ANY\(\))?)$/;

describe('the forms that compile() returns', () => {
  const tag = test('tag_id', 'equals');
  const noTag = test('tag_id', 'not_equals');
  const name = test('job_title', 'contains');
  const noName = test('job_title', 'not_contains');
  const part = test('first_name', 'contains');
  const ways = (groups: ConditionTest[][]): [number, number] => {
    const { conditions, counts } = compile(WORKSPACE, groups);
    return [conditions.length, counts.length];
  };

  it.each<[string, ConditionTest[][], [number, number]]>([
    ['one scan for a test of the contact itself', [[name]], [1, 1]],
    ['a second form if a trigram index finds candidates', [[part]], [2, 2]],
    ['a third form in addition to a union', [[tag], [part]], [3, 3]],
    ['the cached count for one tag', [[tag]], [1, 1]],
    ['a subtraction from all for the contacts without one tag', [[noTag]], [1, 2]],
    ['a subtraction from all for a negation', [[noName]], [1, 2]],
    ['one scan for alternatives in the contact itself', [[name], [name]], [1, 1]],
    ['also a union if an alternative is in another table', [[tag], [name]], [2, 2]],
    ['a union, and subtractions of each form', [[noTag], [name]], [2, 3]],
    ['a subtraction of the alternatives for tests that must all be true', [[noTag, name]], [1, 3]],
    ['no subtraction if "and" and "or" are mixed', [[noTag, name], [name]], [2, 2]],
  ])('include %s', (_what, groups, expected) => {
    expect(ways(groups)).toEqual(expected);
  });

  it('have their alternatives in parentheses, so that more conditions can be added', () => {
    const [inOne = ''] = compile(WORKSPACE, [[name], [noName]]).conditions.map((form) => form.toQuery().text);
    expect(levels(inOne).at(-1)).toBe('() OR ()');
    const counted = compile(WORKSPACE, [[name], [noName]]).counts.map((form) => form.toQuery().text);
    for (const count of counted) for (const level of levels(count)) expect(level).not.toMatch(/workspace_id.* OR /s);
  });
});
