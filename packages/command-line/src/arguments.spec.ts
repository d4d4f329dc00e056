import { parseId, parseLifetime } from './arguments.js';

describe('command line arguments', () => {
  it.each([
    ['45s', 45],
    ['30m', 1800],
    ['12h', 43_200],
    ['30d', 2_592_000],
    ['36500d', 3_153_600_000],
  ])('parseLifetime(%p) returns %d seconds', (text, seconds) => expect(parseLifetime(text)).toBe(seconds));

  it.each(['', '30', 'd', '0s', '-1d', '1.5h', '30 d', '30D', '1w', '36501d', '99999999999s'])(
    'parseLifetime(%p) throws',
    (text) => expect(() => parseLifetime(text)).toThrow('45s, 30m, 12h or 30d'),
  );

  it('parseId accepts only positive integers that JSON can represent', () => {
    expect(parseId('9007199254740991')).toBe(9_007_199_254_740_991);
    for (const text of ['', '0', '-1', '1.5', '1e3', '0x1', ' 1', '9007199254740992', '99999999999999999999']) {
      expect(() => parseId(text)).toThrow('positive whole number');
    }
  });
});
