import { insertPosition, stepAfter, insertAt } from './step-order.js';

describe('insertPosition', () => {
  it('returns the end without a position', () => {
    expect(insertPosition(0, undefined)).toBe(1);
    expect(insertPosition(3, null)).toBe(4);
  });

  it('returns the position, or the end if the position is after it', () => {
    expect(insertPosition(3, 2)).toBe(2);
    expect(insertPosition(3, 4)).toBe(4);
    expect(insertPosition(3, Number.MAX_SAFE_INTEGER)).toBe(4);
  });
});

describe('insertAt', () => {
  it('inserts the item before the one at this position', () => {
    expect(insertAt(['a', 'b'], 'new', 1)).toEqual(['new', 'a', 'b']);
    expect(insertAt(['a', 'b'], 'new', 2)).toEqual(['a', 'new', 'b']);
    expect(insertAt(['a', 'b'], 'new', 3)).toEqual(['a', 'b', 'new']);
  });
});

describe('stepAfter', () => {
  const steps = [{ id: 7 }, { id: 5 }, { id: 9 }];

  it('returns the next step by order, not by ID', () => {
    expect(stepAfter(steps, 7)).toEqual({ id: 5 });
    expect(stepAfter(steps, 5)).toEqual({ id: 9 });
  });

  it('returns undefined after the last step', () => {
    expect(stepAfter(steps, 9)).toBeUndefined();
    expect(stepAfter([], null)).toBeUndefined();
  });

  it('returns the second step for a null ID', () => {
    expect(stepAfter(steps, null)).toEqual({ id: 5 });
  });
});
