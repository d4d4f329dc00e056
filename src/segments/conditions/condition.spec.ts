import fc from 'fast-check';
import { alternatives, type Connector, CONNECTORS, OPERATORS, takesValue } from './condition.js';

interface Named {
  readonly name: string;
  readonly connector: Connector | null;
}

/** Parses `a or b and c` to conditions with these names. A comma means no connector. */
const read = (text: string): Named[] =>
  text
    .replaceAll(',', ' , ')
    .split(/\s+/)
    .flatMap((word, index, words) => {
      if (index % 2 === 1) return [];
      const connector = words[index - 1];
      return [{ name: word, connector: connector === 'and' || connector === 'or' ? connector : null }];
    });

const write = (groups: readonly (readonly Named[])[]): string =>
  groups.map((group) => group.map(({ name }) => name).join('')).join(' ');

describe('alternatives', () => {
  it.each([
    ['a', 'a', 'a'],
    ['a, b', 'ab', 'a b'],
    ['a, b, c', 'abc', 'a b c'],
    ['a and b', 'ab', 'ab'],
    ['a or b', 'a b', 'a b'],
    ['a or b and c', 'a bc', 'a bc'],
    ['a and b or c', 'ab c', 'ab c'],
    ['a and b or c and d', 'ab cd', 'ab cd'],
    ['a or b or c and d or e', 'a b cd e', 'a b cd e'],
    ['a or b, c', 'a bc', 'a b c'],
    ['a, b or c', 'ab c', 'a b c'],
    ['a, b and c', 'abc', 'a bc'],
    ['a and b, c or d, e', 'abc de', 'ab c d e'],
  ])('groups %s to %s with match type all, and to %s with any', (text, ofAll, ofAny) => {
    expect(write(alternatives(read(text), 'all'))).toBe(ofAll);
    expect(write(alternatives(read(text), 'any'))).toBe(ofAny);
  });

  it.each(CONNECTORS)('ignores the connector of the first condition: %s', (connector) => {
    const first = { name: 'a', connector };
    const rest = { name: 'b', connector: null };
    expect(write(alternatives([first, rest], 'all'))).toBe('ab');
    expect(write(alternatives([first, rest], 'any'))).toBe('a b');
  });

  it('returns no groups for no conditions', () => {
    expect(alternatives([], 'all')).toEqual([]);
  });

  const condition = fc.record({ isTrue: fc.boolean(), connector: fc.constantFrom('and', 'or', null) });
  const inputs = [fc.array(condition, { minLength: 1, maxLength: 20 }), fc.constantFrom('all', 'any')] as const;

  it('returns groups that are equivalent to the conditions as SQL reads them: split at each or, joined by and', () => {
    fc.assert(
      fc.property(...inputs, (conditions, matchType) => {
        const parts = conditions
          .map(({ isTrue, connector }, index) => {
            const joint = connector ?? (matchType === 'all' ? 'and' : 'or');
            return (index === 0 ? '' : joint === 'or' ? '|' : '&') + (isTrue ? '1' : '0');
          })
          .join('')
          .split('|');
        const groups = alternatives(conditions, matchType);
        expect(groups.some((group) => group.every(({ isTrue }) => isTrue))).toBe(
          parts.some((part) => !part.includes('0')),
        );
      }),
    );
  });

  it('returns every condition once, in order', () => {
    fc.assert(
      fc.property(...inputs, (conditions, matchType) => {
        const groups = alternatives(conditions, matchType);
        expect(groups.flat()).toEqual(conditions);
        expect(groups.every((group) => group.length > 0)).toBe(true);
      }),
    );
  });
});

it('takesValue returns true for all operators except is_empty and is_not_empty', () => {
  expect(OPERATORS.filter((operator) => !takesValue(operator))).toEqual(['is_empty', 'is_not_empty']);
});
