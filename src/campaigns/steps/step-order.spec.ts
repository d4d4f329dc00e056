import { insertPosition, stepAfter, insertAt } from './step-order.js';

describe('placeAmong', () => {
  it('is the end without a position', () => {
    expect(insertPosition(0, undefined)).toBe(1);
    expect(insertPosition(3, null)).toBe(4);
  });

  it('is the position, and the end where that lies beyond', () => {
    expect(insertPosition(3, 2)).toBe(2);
    expect(insertPosition(3, 4)).toBe(4);
    expect(insertPosition(3, Number.MAX_SAFE_INTEGER)).toBe(4);
  });
});

describe('withItemAt', () => {
  it('moves the others up', () => {
    expect(insertAt(['a', 'b'], 'new', 1)).toEqual(['new', 'a', 'b']);
    expect(insertAt(['a', 'b'], 'new', 2)).toEqual(['a', 'new', 'b']);
    expect(insertAt(['a', 'b'], 'new', 3)).toEqual(['a', 'b', 'new']);
  });
});

describe('stepAfter', () => {
  const steps = [{ id: 7 }, { id: 5 }, { id: 9 }];

  it('follows the order, not the IDs', () => {
    expect(stepAfter(steps, 7)).toEqual({ id: 5 });
    expect(stepAfter(steps, 5)).toEqual({ id: 9 });
  });

  it('is nothing after the last', () => {
    expect(stepAfter(steps, 9)).toBeUndefined();
    expect(stepAfter([], null)).toBeUndefined();
  });

  it('takes who is at no step yet for being at the first', () => {
    expect(stepAfter(steps, null)).toEqual({ id: 5 });
  });
});
