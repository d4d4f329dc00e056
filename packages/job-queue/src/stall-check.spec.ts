import { StallCheck } from './stall-check.js';

describe('StallCheck', () => {
  let seconds: number;
  let check: StallCheck;
  beforeEach(() => {
    seconds = 1000;
    check = new StallCheck(() => seconds * 1000);
  });

  /** Whether the worker is stalled by checks every five seconds, for so long. */
  const during = (duration: number, untouched: () => readonly string[]): boolean[] => {
    const results: boolean[] = [];
    for (const end = seconds + duration; seconds < end; seconds += 5) results.push(check.isStalled(untouched()));
    return results;
  };

  it('finds a worker stalled when a key is left alone for ten seconds after it was first found', () => {
    expect(during(20, () => ['1-1'])).toEqual([false, false, true, true]);
    expect(during(10, () => [])).toEqual([false, false]);
    expect(during(15, () => ['1-1'])).toEqual([false, false, true]);
  });

  it('does not find a worker stalled that has just started, or whose work was due all at once, and that then works', () => {
    expect(check.isStalled(['1-1', '1-2'])).toBe(false);
    seconds += 9;
    expect(check.isStalled(['1-2'])).toBe(false);
    seconds += 9;
    expect(check.isStalled([])).toBe(false);
  });

  it('does not find a worker stalled whose drain of a key fails again and again', () => {
    const begin = () => {
      check.noteBegun('1-1');
      return ['1-1'];
    };
    expect(during(120, begin)).not.toContain(true);
    expect(during(65, () => ['1-1']).at(-1)).toBe(false);
    expect(during(20, () => ['1-1']).at(-1)).toBe(true);
  });

  it('finds a worker stalled that leaves a key alone beside one whose drain fails', () => {
    const begin = () => {
      check.noteBegun('1-1');
      return ['1-1', '1-2'];
    };
    expect(during(15, begin)).toEqual([false, false, true]);
  });
});
