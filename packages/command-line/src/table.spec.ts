import { table } from './table.js';

describe('table', () => {
  it('has columns that are as wide as their widest cell', () => {
    expect(
      table(
        ['ID', 'NAME'],
        [
          ['1', 'Ada'],
          ['100', 'B'],
        ],
      ),
    ).toBe('ID   NAME\n1    Ada\n100  B');
  });

  it('can have hundreds of thousands of rows', () => {
    const rows = Array.from({ length: 300_000 }, (_, n) => [String(n)]);
    expect(table(['ID'], rows).split('\n')).toHaveLength(300_001);
  });
});
