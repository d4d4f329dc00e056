import { OPERATORS } from './condition.js';
import { customKeyOf, type CustomFieldsByKey, findField, operatorsOf } from './fields.js';

const CUSTOM: CustomFieldsByKey = new Map([
  ['note', { id: 1, type: 'text' }],
  ['score', { id: 2, type: 'number' }],
  ['vip', { id: 3, type: 'boolean' }],
  ['renewal', { id: 4, type: 'date' }],
  ['toString', { id: 5, type: 'text' }],
  ['a.b', { id: 6, type: 'text' }],
]);

const fitting = (name: string): string[] => {
  const field = findField(name, CUSTOM);
  return field ? OPERATORS.filter((operator) => operatorsOf(field).includes(operator)) : [];
};

const TEXT = [
  ...['equals', 'not_equals', 'contains', 'not_contains'],
  ...['starts_with', 'ends_with', 'is_empty', 'is_not_empty'],
];
const ORDER = ['equals', 'not_equals', 'is_empty', 'is_not_empty', 'greater_than', 'less_than'];
const EXACT = ['equals', 'not_equals', 'is_empty', 'is_not_empty'];

describe('operatorsOf', () => {
  it.each([
    ['email', TEXT],
    ['external_id', TEXT],
    ['first_name', TEXT],
    ['last_name', TEXT],
    ['full_name', TEXT],
    ['company', TEXT],
    ['phone', TEXT],
    ['job_title', TEXT],
    ['linkedin_url', TEXT],
    ['timezone', TEXT],
    ['lifecycle_stage', EXACT],
    ['status', EXACT],
    ['subscribed_at', ORDER],
    ['unsubscribed_at', ORDER],
    ['created_at', ORDER],
    ['updated_at', ORDER],
    ['company_id', EXACT],
    ['tag_id', EXACT],
    ['list_id', EXACT],
    ['custom_fields.note', TEXT],
    ['custom_fields.score', ORDER],
    ['custom_fields.vip', EXACT],
    ['custom_fields.renewal', ORDER],
  ])('returns the operators of %s', (name, operators) => {
    expect(fitting(name)).toEqual(operators);
  });
});

describe('findField', () => {
  it.each([
    '',
    'id',
    'Email',
    'EMAIL',
    'email ',
    'workspace_id',
    'search_text',
    'tags',
    'lists',
    'tag_ids',
    'company_ids',
    'custom_fields',
    'custom_fields.',
    'custom_fields.nothing',
    'custom_fields.NOTE',
    'custom_fields.constructor',
    'Custom_fields.note',
    'note',
    'toString',
    'constructor',
    '__proto__',
  ])('returns undefined for %j', (name) => {
    expect(findField(name, CUSTOM)).toBeUndefined();
  });

  it('uses everything after the first dot as the key of a custom field', () => {
    expect(customKeyOf('custom_fields.a.b')).toBe('a.b');
    expect(findField('custom_fields.a.b', CUSTOM)).toEqual({ type: 'custom text', key: 'a.b' });
    expect(findField('custom_fields.toString', CUSTOM)).toEqual({ type: 'custom text', key: 'toString' });
    expect(customKeyOf('email')).toBeUndefined();
  });

  it('returns undefined for a custom field if the workspace has none', () => {
    expect(findField('custom_fields.note', new Map())).toBeUndefined();
    expect(findField('email', new Map())).toEqual({ type: 'text', column: 'email' });
  });
});
