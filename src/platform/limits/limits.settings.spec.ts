import { DEFAULT_LIMITS, limitsSettings, parseLimits } from './limits.settings.js';

describe('WORKSPACE_LIMITS', () => {
  it('changes the limits that it names, and leaves the others at their default', () => {
    expect(parseLimits(' webhooks=0, tokens = 1000000000 ')).toEqual({
      ...DEFAULT_LIMITS,
      webhooks: 0,
      tokens: 1_000_000_000,
    });
  });

  it.each([
    ['webhook=5', '"webhook" is none of them'],
    ['webhooks=5,', '"" is none of them'],
    ['__proto__=5', 'is none of them'],
    ['toString=5', 'is none of them'],
    ['webhooks', 'whole numbers from 0'],
    ['webhooks=', 'whole numbers from 0'],
    ['webhooks=-1', 'whole numbers from 0'],
    ['webhooks=1.5', 'whole numbers from 0'],
    ['webhooks=1e3', 'whole numbers from 0'],
    ['webhooks=1000000001', 'whole numbers from 0'],
    ['webhooks=5=6', 'whole numbers from 0'],
    ['webhooks=5,webhooks=6', 'contains webhooks twice'],
  ])('%p stops the start', (text, message) => {
    expect(() => parseLimits(text)).toThrow(message);
  });

  it('is documented with a default that it accepts', () => {
    expect(parseLimits(limitsSettings.WORKSPACE_LIMITS.shown ?? '')).toEqual(DEFAULT_LIMITS);
  });
});
