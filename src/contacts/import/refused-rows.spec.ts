import { RefusedRows } from './refused-rows.js';

const ROWS = 55_000;
const MEGABYTE = 1_048_576;

describe('RefusedRows', () => {
  it('omits rows beyond a hundred megabytes, and says how many', () => {
    const refused = new RefusedRows({ columns: ['email', 'note'], delimiter: ',' });
    const cells = ['ada at example.com', 'x'.repeat(2_000)];
    const message = () => 'email must be an email address';
    for (let row = 2; row < ROWS + 2; row++)
      refused.add({ row, cells }, { row, field: 'email', column: 'email', value: cells[0] ?? null, message });
    expect(Math.abs(refused.length - 100 * MEGABYTE)).toBeLessThan(3 * MEGABYTE);
    const parts = [...refused.contents()];
    const lines = parts.map((part) => part.split('\n').length - 1);
    const omitted = ROWS - (lines.reduce((sum, count) => sum + count, 0) - 1);
    expect(omitted).toBeGreaterThan(2_000);
    expect(parts.at(-1)?.trimEnd()).toBe(
      `,,,,"${omitted.toLocaleString('en')} more rows were refused, which are not in this file."`,
    );
  });
});
