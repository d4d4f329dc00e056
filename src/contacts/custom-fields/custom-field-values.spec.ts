import { fitsType, readCustomFields, typeOfValue } from './custom-field-values.js';

describe('typeOfValue', () => {
  it.each([
    '2024-02-29',
    '0001-01-01',
    '9999-12-31',
    '2026-11-21T08:30Z',
    '2026-11-21T08:30:00Z',
    '2026-11-21T23:59:59.123456789+14:00',
    '2026-11-21T00:00:00-05:30',
  ])('returns date for %s', (text) => {
    expect(typeOfValue(text)).toBe('date');
  });

  it.each([
    '',
    '2026',
    '2026-02-29',
    '2026-13-01',
    '0000-01-01',
    '20261121',
    '2026-W12-3',
    '2026-11-21 08:30:00Z',
    '2026-11-21T08:30:00',
    '2026-11-21T24:00:00Z',
    '2026-11-21T08:30:60Z',
    '2026-11-21T08:30:00+15:00',
    '+12026-11-21',
  ])('returns text for %j, which PostgreSQL might not read as a date', (text) => {
    expect(typeOfValue(text)).toBe('text');
  });
});

describe('fitsType', () => {
  it('accepts any string for text, and only values of the type for the other types', () => {
    expect(fitsType('2026-01-01', 'text')).toBe(true);
    expect(fitsType(1, 'text')).toBe(false);
    expect(fitsType('1', 'number')).toBe(false);
    expect(fitsType('soon', 'date')).toBe(false);
    expect(fitsType('2026-01-01', 'date')).toBe(true);
    expect(fitsType(false, 'boolean')).toBe(true);
  });
});

describe('readCustomFields', () => {
  it('separates values, removed keys and errors', () => {
    const input = JSON.parse('{"a": 1, "b": null, "c d": 1, "e": [1], "__proto__": "x"}') as Record<string, unknown>;
    const { values, removed, errors } = readCustomFields(input);
    expect([...values]).toEqual([['a', 1]]);
    expect(removed).toEqual(['b']);
    expect(Object.keys(errors)).toEqual(['custom_fields.c d', 'custom_fields.e', 'custom_fields.__proto__']);
  });
});
