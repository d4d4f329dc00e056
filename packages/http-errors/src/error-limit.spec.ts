import { limitErrors } from './error-limit.js';

const errorsOf = (count: number): Record<string, string[]> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, ['is wrong']]));

describe('limitErrors', () => {
  it('returns up to 100 errors unchanged', () => {
    expect(limitErrors(errorsOf(100))).toEqual(errorsOf(100));
  });

  it('returns the first 100 errors and the number of the others', () => {
    expect(limitErrors(errorsOf(101))).toEqual({ ...errorsOf(100), _more: ['1 more field is invalid.'] });
    expect(limitErrors(errorsOf(350))).toEqual({ ...errorsOf(100), _more: ['250 more fields are invalid.'] });
  });

  it('cuts long paths and messages', () => {
    const [[path, messages]] = Object.entries(limitErrors({ ['x'.repeat(900_000)]: ['y'.repeat(900_000)] })) as [
      [string, string[]],
    ];
    expect([path.length, messages[0]?.length]).toEqual([501, 2_001]);
  });
});
