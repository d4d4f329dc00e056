import type { Response } from 'express';
import { BackgroundSteps, KeyActivity } from '@outreach/concurrency';
import { encodeRows } from './encode-rows.js';

const open = { closed: false } as Response;
const toJson = (row: unknown): object => ({ row });

async function encoded(rows: readonly unknown[], beside: object, response = open): Promise<string> {
  const steps = new BackgroundSteps(new KeyActivity());
  const { parts } = await encodeRows({ rows, toJson, beside }, steps, 1, response);
  return Buffer.concat(parts).toString();
}

describe('encodeRows', () => {
  it.each([
    ['no rows', []],
    ['one row', ['é "quoted"\n']],
    [
      'more rows than fit into one step',
      Array.from({ length: 60 }, (_, number) => `${number}\u{1f600}`.repeat(10_000)),
    ],
  ])('returns the same bytes as JSON.stringify for %s', async (_, rows) => {
    for (const beside of [{}, { links: { next: null }, meta: { total: 3 } }]) {
      expect(await encoded(rows, beside)).toBe(JSON.stringify({ data: rows.map(toJson), ...beside }));
    }
  });

  it('ends soon if the client has closed the connection', async () => {
    const rows = Array.from({ length: 200 }, () => '\n'.repeat(50_000));
    const complete = JSON.stringify({ data: rows.map(toJson) }).length;
    expect((await encoded(rows, {}, { closed: true } as Response)).length).toBeLessThan(complete / 2);
  });
});
