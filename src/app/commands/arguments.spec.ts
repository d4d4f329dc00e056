import { parseId, parseLifetime, parseName } from './arguments.js';

describe('arguments of the command line', () => {
  it.each([
    ['45s', 45],
    ['30m', 1800],
    ['12h', 43_200],
    ['30d', 2_592_000],
    ['36500d', 3_153_600_000],
  ])('%s is a lifetime of %d seconds', (text, seconds) => expect(parseLifetime(text)).toBe(seconds));

  it.each(['', '30', 'd', '0s', '-1d', '1.5h', '30 d', '30D', '1w', '36501d', '99999999999s'])(
    '%p is no lifetime',
    (text) => expect(() => parseLifetime(text)).toThrow('45s, 30m, 12h or 30d'),
  );

  it('an ID is a positive whole number that JSON can carry', () => {
    expect(parseId('9007199254740991')).toBe(9_007_199_254_740_991);
    for (const text of ['', '0', '-1', '1.5', '1e3', '0x1', ' 1', '9007199254740992', '99999999999999999999']) {
      expect(() => parseId(text)).toThrow('positive whole number');
    }
  });

  it('a name is trimmed and has 1 to 255 characters', () => {
    expect(parseName('  Été ')).toBe('Été');
    expect(parseName('😀'.repeat(255))).toHaveLength(510);
    for (const text of ['', '  ', 'x'.repeat(256)]) expect(() => parseName(text)).toThrow('1 to 255 characters');
  });
});
