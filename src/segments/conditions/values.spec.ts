import fc from 'fast-check';
import { booleanOf, idOf, numberOf, periodOf } from './values.js';

const MS = 1;
const DAY = 86_400_000;

describe('periodOf', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z'],
    // Daylight saving time begins on this day in Europe, but not in UTC.
    ['2026-03-29', '2026-03-29T00:00:00.000Z'],
  ])('returns a whole day in UTC for %s', (text, from) => {
    expect(periodOf(text)).toEqual({ from: Date.parse(from), before: Date.parse(from) + DAY });
  });

  it.each([
    ['2026-11-21T08:30Z', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21T08:30:15Z', '2026-11-21T08:30:15.000Z'],
    ['2026-11-21T08:30:15.1Z', '2026-11-21T08:30:15.100Z'],
    ['2026-11-21T08:30:15.123Z', '2026-11-21T08:30:15.123Z'],
    ['2026-11-21T08:30:15.123999999Z', '2026-11-21T08:30:15.123Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['2026-11-21T00:00:00+02:00', '2026-11-20T22:00:00.000Z'],
    ['2026-11-21T23:30:00-05:30', '2026-11-22T05:00:00.000Z'],
    ['2026-11-21T00:00:00+14:00', '2026-11-20T10:00:00.000Z'],
    ['0001-01-01T00:00:00+01:00', '0000-12-31T23:00:00.000Z'],
  ])('returns one millisecond for %s', (text, from) => {
    expect(periodOf(text)).toEqual({ from: Date.parse(from), before: Date.parse(from) + MS });
  });

  it.each([
    '',
    'today',
    '2026',
    '2026-11',
    '2026-02-29',
    '2026-11-31',
    '2026-13-01',
    '0000-01-01',
    '21.11.2026',
    '11/21/2026',
    '20261121',
    '2026-W47-6',
    '2026-325',
    '2026-11-21 08:30:00Z',
    '2026-11-21T08:30:00',
    '2026-11-21T24:00:00Z',
    '2026-11-21T08:60:00Z',
    '2026-11-21T08:30:60Z',
    '2026-11-21T08:30:00+0200',
    '2026-11-21T08:30:00+15:00',
    '2026-11-21T08:30:00.Z',
    '2026-11-21t08:30:00z',
    '+12026-11-21',
    '-0001-01-01',
    '1795269600000',
    '2026-11-21\n',
    '２０２６-11-21',
  ])('returns undefined for %j', (text) => {
    expect(periodOf(text)).toBeUndefined();
  });

  it('returns days that start at midnight and end before the next midnight', () => {
    const days = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(days, (date) => {
        const day = date.toISOString().slice(0, 10);
        const next = new Date(Date.parse(day) + DAY).toISOString();
        const period = periodOf(day);
        expect(period?.from).toBe(periodOf(`${day}T00:00:00.000Z`)?.from);
        expect(period?.before).toBe(periodOf(next)?.from);
        expect(periodOf(`${day}T23:59:59.999Z`)?.before).toBe(period?.before);
      }),
    );
  });
});

describe('numberOf', () => {
  it.each([
    ['0', 0],
    ['-0', -0],
    ['007', 7],
    ['+5', 5],
    ['-5', -5],
    ['0.1', 0.1],
    ['.5', 0.5],
    ['5.', 5],
    ['1e21', 1e21],
    ['1E+21', 1e21],
    ['1e-7', 1e-7],
    ['9007199254740993', 2 ** 53],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', Number.MIN_VALUE],
    ['1e-400', 0],
    ['9'.repeat(308), 1e308],
  ])('returns the number of %s', (text, number) => {
    expect(numberOf(text)).toBe(number);
  });

  it.each([
    ...['', '.', '-', '+', 'e5', '1e', '1e+', '1 000', '1,5', '1_000', '0x10', '0b1', '1n', '--1', '1e1.5', '1.2.3'],
    ...['NaN', 'Infinity', '-Infinity', '1e309', '-1e400', '9'.repeat(400), 'true', 'one', '٣', '1\n', ' 1'],
  ])('returns undefined for %j, which is not a finite number', (text) => {
    expect(numberOf(text)).toBeUndefined();
  });

  it('parses every number that JavaScript formats', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(numberOf(String(number))).toBe(number === 0 ? 0 : number);
      }),
    );
  });
});

describe('idOf', () => {
  it.each([
    ['1', 1],
    ['42', 42],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('returns the ID of %s', (text, id) => {
    expect(idOf(text)).toBe(id);
  });

  it.each([
    ...['', '0', '00', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '1 ', '1\n', 'one', '1,2', '٣', 'null', 'true'],
    ...['9007199254740992', '9007199254740993', '10000000000000000', '99999999999999999999', '00000000000000001'],
  ])('returns undefined for %j, which is not an ID', (text) => {
    expect(idOf(text)).toBeUndefined();
  });
});

describe('booleanOf', () => {
  it('parses true and false', () => {
    expect(booleanOf('true')).toBe(true);
    expect(booleanOf('false')).toBe(false);
  });

  it.each(['', '1', '0', 'TRUE', 'False', 'yes', 'no', 'null', ' true', 'true '])(
    'returns undefined for %j',
    (text) => {
      expect(booleanOf(text)).toBeUndefined();
    },
  );
});
