import fc from 'fast-check';
import { KeyActivity } from './index.js';

const RECENT_MS = 100;

describe('KeyActivity', () => {
  let activity: KeyActivity;
  beforeEach(() => {
    jest.useFakeTimers();
    activity = new KeyActivity();
  });
  afterEach(() => jest.useRealTimers());

  const hasOthers = (key: number): boolean => activity.hasOthers(key, RECENT_MS);

  it('does not count the work of the key itself', () => {
    expect(hasOthers(1)).toBe(false);
    const end = activity.begin(1);
    expect(hasOthers(1)).toBe(false);
    end();
    expect(hasOthers(1)).toBe(false);
  });

  it('counts the work of another key while it is in progress, and for a time after its end', () => {
    const ends = [activity.begin(2), activity.begin(2)];
    for (const end of ends) {
      jest.advanceTimersByTime(10 * RECENT_MS);
      expect(hasOthers(1)).toBe(true);
      end();
    }
    jest.advanceTimersByTime(RECENT_MS);
    expect(hasOthers(1)).toBe(true);
    jest.advanceTimersByTime(1);
    expect(hasOthers(1)).toBe(false);
  });

  it('finds recent work of another key, whatever has ended since', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(60)), { maxLength: 20 }), (works) => {
        activity = new KeyActivity();
        const ended = works.map(([key, pauseMs]) => {
          activity.begin(key)();
          const endedAt = performance.now();
          jest.advanceTimersByTime(pauseMs);
          return { key, endedAt };
        });
        for (const own of [1, 2, 3, 4]) {
          const isRecent = ended.some(({ key, endedAt }) => key !== own && performance.now() - endedAt <= RECENT_MS);
          expect(hasOthers(own)).toBe(isRecent);
        }
      }),
    );
  });
});
