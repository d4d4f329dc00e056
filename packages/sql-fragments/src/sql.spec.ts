import { NodesValue, sql } from './sql.js';

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

  describe('on several nodes', () => {
    const instant = new Date('2026-01-02T03:04:05Z');

    it('has the instant of the statement as one parameter', () => {
      const statement = sql`UPDATE leases SET since = ${sql.realNow} WHERE until < ${sql.realNow} AND id = ${7}`;
      expect(statement.toQuery().text).toBe('UPDATE leases SET since = now() WHERE until < now() AND id = $1');
      expect(statement.toQuery({ at: instant, locks: [], locksReadAt: instant })).toEqual({
        text: 'UPDATE leases SET since = $1::timestamptz WHERE until < $1::timestamptz AND id = $2',
        values: [instant, 7],
      });
    });

    it('has what nodes cannot read as parameters', () => {
      const keys = new NodesValue(({ locks }) => locks.map(([, key]) => key));
      const statement = sql.byEngine(sql`SELECT objid FROM pg_locks`, sql`SELECT unnest(${keys}::bigint[])`);
      expect(statement.toQuery({ at: instant, locks: [[1, 7]], locksReadAt: instant }).values).toEqual([[7]]);
    });

    it('has the text of a fragment for this engine, with the values in it', () => {
      const statement = sql`SELECT 1 WHERE ${sql.among(sql`id`, sql`SELECT other FROM pairs WHERE one = ${5}`)}`;
      expect(statement.toQuery()).toEqual({
        text: 'SELECT 1 WHERE id IN (SELECT other FROM pairs WHERE one = $1)',
        values: [5],
      });
      expect(statement.toQuery({ at: instant, locks: [], locksReadAt: instant })).toEqual({
        text: 'SELECT 1 WHERE id = ANY(ARRAY(SELECT other FROM pairs WHERE one = $1))',
        values: [5],
      });
    });
  });
});
