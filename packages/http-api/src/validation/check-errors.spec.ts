import { removeRefused } from './check-errors.js';

const validPart = (value: object, ...refused: string[]): object => {
  removeRefused(value, refused);
  return value;
};

describe('removeRefused', () => {
  it('removes fields, also those of nested objects', () => {
    expect(validPart({ a: 1, b: { c: 2, d: 3 } }, 'a', 'b.c')).toEqual({ b: { d: 3 } });
  });

  it('leaves the other elements of an array at their index', () => {
    expect(validPart({ ids: [1, 'x', 3] }, 'ids.1')).toEqual({ ids: [1, undefined, 3] });
    expect(validPart({ steps: [{ a: 1 }, { a: 'x', b: 2 }] }, 'steps.1.a')).toEqual({ steps: [{ a: 1 }, { b: 2 }] });
  });

  it('removes keys that contain dots', () => {
    expect(validPart({ map: { 'a.b': 1, a: 2 } }, 'map.a.b')).toEqual({ map: { a: 2 } });
  });

  it('ignores fields that are absent, and members of prototypes', () => {
    expect(validPart({ a: 1 }, 'b', 'b.c', 'a.c', 'toString.x', '__proto__.y')).toEqual({ a: 1 });
  });
});
