import fc from 'fast-check';
import { jsonSyntaxError } from './json-syntax.js';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('jsonSyntaxError', () => {
  it.each([
    ['', 1, 1, 'a value'],
    ['nothing', 1, 1, 'a value'],
    ['{', 1, 2, 'a key in double quotes or }'],
    ["{'a': 1}", 1, 2, 'a key in double quotes or }'],
    ['{"a" 1}', 1, 6, 'a colon'],
    ['{"a":}', 1, 6, 'a value'],
    ['{"a": 1\n "b": 2}', 2, 2, 'a comma or }'],
    ['{"a": 1,}', 1, 9, 'a key in double quotes'],
    ['[1', 1, 3, 'a comma or ]'],
    ['[1,]', 1, 4, 'a value'],
    ['[', 1, 2, 'a value or ]'],
    ['{"a":[1}', 1, 8, 'a comma or ]'],
    ['{"a":1}}', 1, 8, 'nothing more'],
    ['{"a": 01}', 1, 7, 'a value'],
    ['{"a": "b', 1, 9, 'a double quote that ends the string'],
    ['{"a": "\\x"}', 1, 8, 'an escape sequence of JSON, such as \\\\'],
    ['{"a": "b\n"}', 1, 9, 'no control character, but its escape sequence, such as \\n'],
  ])('of %j is at line %i, column %i, where %s is expected', (text, line, column, expected) => {
    expect(jsonSyntaxError(text)).toMatchObject({ line, column, expected });
  });

  it('says whether the text ends there', () => {
    expect(jsonSyntaxError('{"a":')).toMatchObject({ isAtEnd: true });
    expect(jsonSyntaxError('{"a":]')).toMatchObject({ isAtEnd: false });
  });

  it('finds an error in every text that is not JSON, and none in JSON', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-0.5e3',
      '0',
      '.',
      'true',
      ' ',
      '\n',
      '\\',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(jsonSyntaxError(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) =>
        expect(jsonSyntaxError(JSON.stringify(value, undefined, 1))).toBeUndefined(),
      ),
    );
  });

  it('looks at a megabyte', () => {
    expect(jsonSyntaxError(`["${'a'.repeat(1_000_000)}",]`)).toMatchObject({ column: 1_000_005, expected: 'a value' });
    expect(jsonSyntaxError('['.repeat(1_000_000))).toMatchObject({ isAtEnd: true });
  });
});
