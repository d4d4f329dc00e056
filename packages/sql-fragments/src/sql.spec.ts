import { sql } from './sql.js';

describe('sql', () => {
  it('inlines fragments, and turns every other value into a parameter', () => {
    const condition = sql`id = ${7}`;
    expect(sql`SELECT ${'a'} WHERE ${condition} AND name = ${'b'}`.toQuery()).toEqual({
      text: 'SELECT $1 WHERE id = $2 AND name = $3',
      values: ['a', 7, 'b'],
    });
  });

  it('refuses a function, which the driver would send as NULL', () => {
    const now = (): string => 'now()';
    expect(() => sql`SELECT ${sql`${now}`}`.toQuery()).toThrow(new TypeError('A function is no value of SQL: now'));
  });
});
