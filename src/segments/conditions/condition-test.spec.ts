import { CONTACT_STATUSES, LIFECYCLE_STAGES } from '../../contacts/index.js';
import { conditionErrorsOf, testOf } from './condition-test.js';
import { type Condition, type Operator, OPERATORS } from './condition.js';
import { sql } from '../../platform/database/index.js';
import { type CustomFieldsByKey, findField, operatorsOf } from './fields.js';

const CUSTOM: CustomFieldsByKey = new Map([
  ['note', { id: 1, type: 'text' }],
  ['score', { id: 2, type: 'number' }],
  ['vip', { id: 3, type: 'boolean' }],
  ['renewal', { id: 4, type: 'date' }],
]);

const condition = (field: string, operator: Operator, value: string | null = null): Condition => ({
  field,
  operator,
  value,
  connector: null,
});

const invalidPart = (field: string, operator: Operator, value: string | null = null): string | undefined =>
  conditionErrorsOf(condition(field, operator, value), CUSTOM)[0]?.part;

describe('conditionErrorsOf', () => {
  it.each<[string, Operator, string]>([
    ['email', 'equals', 'ada@example.com'],
    ['email', 'equals', 'no address at all'],
    ['first_name', 'contains', '%'],
    ['full_name', 'starts_with', '_'],
    ['company', 'ends_with', '\\'],
    ['phone', 'not_contains', '0'],
    ['linkedin_url', 'not_equals', "'"],
    ...CONTACT_STATUSES.map((status): [string, Operator, string] => ['status', 'equals', status]),
    ...LIFECYCLE_STAGES.map((stage): [string, Operator, string] => ['lifecycle_stage', 'not_equals', stage]),
    ['created_at', 'greater_than', '2026-11-21'],
    ['updated_at', 'less_than', '2026-11-21T08:30:00.000Z'],
    ['subscribed_at', 'equals', '2026-11-21T08:30+02:00'],
    ['unsubscribed_at', 'not_equals', '2026-11-21'],
    ['company_id', 'equals', '1'],
    ['tag_id', 'not_equals', '9007199254740991'],
    ['list_id', 'equals', '7'],
    ['custom_fields.note', 'contains', '2026-11-21'],
    ['custom_fields.score', 'greater_than', '-0.5'],
    ['custom_fields.vip', 'equals', 'false'],
    ['custom_fields.renewal', 'less_than', '2026-11-21'],
  ])('returns nothing for %s %s %j', (field, operator, value) => {
    expect(invalidPart(field, operator, value)).toBeUndefined();
  });

  it.each<[string, Operator, string | null]>([
    ['first_name', 'equals', null],
    ['first_name', 'contains', ''],
    ['status', 'equals', null],
    ['status', 'equals', 'Active'],
    ['status', 'equals', 'deleted'],
    ['status', 'not_equals', 'lead'],
    ['lifecycle_stage', 'equals', 'active'],
    ['lifecycle_stage', 'equals', '__proto__'],
    ['created_at', 'greater_than', 'yesterday'],
    ['created_at', 'greater_than', '2026-11-21T08:30:00'],
    ['created_at', 'equals', '1795269600000'],
    ['company_id', 'equals', 'ACME'],
    ['company_id', 'equals', '0'],
    ['tag_id', 'equals', '-1'],
    ['tag_id', 'equals', '9007199254740992'],
    ['list_id', 'not_equals', '1.5'],
    ['custom_fields.score', 'equals', 'ten'],
    ['custom_fields.score', 'less_than', 'Infinity'],
    ['custom_fields.score', 'less_than', null],
    ['custom_fields.vip', 'equals', '1'],
    ['custom_fields.vip', 'not_equals', 'TRUE'],
    ['custom_fields.renewal', 'equals', '2026-02-30'],
    ['custom_fields.renewal', 'equals', ''],
  ])('returns an error of the value for %s %s %j', (field, operator, value) => {
    expect(invalidPart(field, operator, value)).toBe('value');
  });

  it.each<[string, Operator]>([
    ['first_name', 'greater_than'],
    ['email', 'less_than'],
    ['status', 'contains'],
    ['lifecycle_stage', 'greater_than'],
    ['created_at', 'starts_with'],
    ['company_id', 'contains'],
    ['company_id', 'greater_than'],
    ['tag_id', 'less_than'],
    ['list_id', 'not_contains'],
    ['custom_fields.note', 'greater_than'],
    ['custom_fields.score', 'contains'],
    ['custom_fields.vip', 'less_than'],
    ['custom_fields.renewal', 'ends_with'],
  ])('returns an error of the operator for %s %s with any value', (field, operator) => {
    for (const value of [null, '', '1', 'x']) expect(invalidPart(field, operator, value)).toBe('operator');
  });

  it('returns an error of the field for an unknown field with any operator', () => {
    for (const operator of OPERATORS) expect(invalidPart('custom_fields.nothing', operator, null)).toBe('field');
  });

  it.each<Operator>(['is_empty', 'is_not_empty'])('requires no value with %s, and ignores any', (operator) => {
    for (const field of ['email', 'status', 'created_at', 'tag_id', 'company_id', 'custom_fields.score']) {
      expect(invalidPart(field, operator)).toBeUndefined();
      expect(invalidPart(field, operator, 'no such value')).toBeUndefined();
    }
  });
});

describe('testOf a stored condition that has become invalid', () => {
  const metBy = (operator: Operator, field = 'custom_fields.gone', value: string | null = '1'): string => {
    const { predicate, isNegated } = testOf(condition(field, operator, value), CUSTOM);
    if (!('own' in predicate) || predicate.own.toQuery().text !== 'FALSE')
      throw new Error('The test depends on the contact.');
    return isNegated ? 'all' : 'none';
  };

  it('is true for no contact, or for all if the operator is negative or is_empty', () => {
    const met = Object.fromEntries(OPERATORS.map((operator) => [operator, metBy(operator)]));
    expect(met).toEqual({
      equals: 'none',
      not_equals: 'all',
      contains: 'none',
      not_contains: 'all',
      starts_with: 'none',
      ends_with: 'none',
      is_empty: 'all',
      is_not_empty: 'none',
      greater_than: 'none',
      less_than: 'none',
    });
  });

  it('includes conditions whose custom field has another type now', () => {
    expect(metBy('greater_than', 'custom_fields.note')).toBe('none');
    expect(metBy('not_contains', 'custom_fields.score', 'x')).toBe('all');
    expect(metBy('equals', 'custom_fields.score', 'ten')).toBe('none');
    expect(metBy('not_equals', 'custom_fields.renewal', 'soon')).toBe('all');
  });
});

describe('the text value of a condition', () => {
  const valuesOf = (field: string, operator: Operator, value: string): unknown[] => {
    const { predicate } = testOf(condition(field, operator, value), CUSTOM);
    return 'own' in predicate ? predicate.own.toQuery().values : [];
  };

  it.each(["'; DROP TABLE contacts; --", '$1', '%', '_', '\\', '{"a": 1}', '🎉', 'a\nb'])(
    'is passed as a parameter, never as part of the statement: %j',
    (value) => {
      for (const field of ['email', 'full_name', 'phone', 'linkedin_url', 'custom_fields.note']) {
        for (const operator of ['equals', 'contains', 'starts_with', 'ends_with'] as const) {
          const { predicate } = testOf(condition(field, operator, value), CUSTOM);
          const text = 'own' in predicate ? predicate.own.toQuery().text : '';
          expect(text).toMatch(/^[\w .,()$%'>@=:-]*$/);
          const parameters = text.match(/\$\d+/g) ?? [];
          expect(new Set(parameters).size).toBe(valuesOf(field, operator, value).length);
        }
      }
    },
  );

  it('is converted to lower case for the field email', () => {
    expect(valuesOf('email', 'equals', 'ADA@Example.com')).toEqual(['ada@example.com']);
    expect(valuesOf('first_name', 'equals', 'ADA')).toContain('ADA');
  });
});

describe('every operator that a field takes', () => {
  const values = ['Ada', 'active', 'lead', '7', '2026-11-21', 'true'];
  const names = ['first_name', 'status', 'lifecycle_stage', 'created_at', 'company_id', 'tag_id', 'list_id'];
  const cases = [...names, ...[...CUSTOM.keys()].map((key) => `custom_fields.${key}`)].flatMap((name) => {
    const field = findField(name, CUSTOM);
    return field ? operatorsOf(field).map((operator): [string, Operator] => [name, operator]) : [];
  });

  it.each(cases)('is handled for %s: %s', (name, operator) => {
    const conditions = values.map((value) => condition(name, operator, value));
    const valid = conditions.filter((each) => conditionErrorsOf(each, CUSTOM).length === 0);
    expect(valid).not.toEqual([]);
    for (const each of valid) expect(testOf(each, CUSTOM).predicate).not.toEqual({ own: sql`FALSE` });
  });
});
