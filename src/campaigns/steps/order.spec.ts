import { placeAmong, stepAfter, withItemAt } from './order.js';

describe('placeAmong', () => {
  it('is the end without a position', () => {
    expect(placeAmong(0, undefined)).toBe(1);
    expect(placeAmong(3, null)).toBe(4);
  });

  it('is the position, and the end where that lies beyond', () => {
    expect(placeAmong(3, 2)).toBe(2);
    expect(placeAmong(3, 4)).toBe(4);
    expect(placeAmong(3, Number.MAX_SAFE_INTEGER)).toBe(4);
  });
});

describe('withItemAt', () => {
  it('moves the others up', () => {
    expect(withItemAt(['a', 'b'], 'new', 1)).toEqual(['new', 'a', 'b']);
    expect(withItemAt(['a', 'b'], 'new', 2)).toEqual(['a', 'new', 'b']);
    expect(withItemAt(['a', 'b'], 'new', 3)).toEqual(['a', 'b', 'new']);
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
