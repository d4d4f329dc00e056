import { pollDelay } from './import-places.js';

describe('the pauses of an import that waits for a place', () => {
  it('are shorter after ten seconds than that before which a workspace may have a second place', () => {
    const [least, most] = [0, 1];
    expect(pollDelay(10_000, most)).toBeLessThan(pollDelay(0, least));
  });

  it('become shorter the longer it waits, but never short enough to keep the database busy', () => {
    const delays = [0, 1_000, 5_000, 10_000, 60_000].map((waitedMs) => pollDelay(waitedMs, 0.5));
    expect(delays).toEqual([500, 460, 300, 100, 100]);
    expect(pollDelay(60_000, 0)).toBe(50);
  });
});
