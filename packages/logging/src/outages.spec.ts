import { Outages } from './outages.js';
import { RepeatedLines } from './repeated-lines.js';

describe('Outages', () => {
  let now: number;
  let outages: Outages;
  beforeEach(() => {
    now = 0;
    outages = new Outages(new RepeatedLines(() => now), () => now);
  });

  it('have one beginning and one end, however many attempts fail between', () => {
    expect(outages.end('Redis')).toBeUndefined();
    const begun: boolean[] = [];
    for (; now < 60_000; now += 1_000) begun.push(outages.begin('Redis'));
    expect(begun.filter(Boolean)).toEqual([true]);
    expect(outages.begin('PostgreSQL')).toBe(true);
    expect([outages.end('Redis'), outages.end('Redis')]).toEqual([60_000, undefined]);
  });

  it('leave out what begins again within ten seconds, unless it lasts', () => {
    const seen: unknown[] = [];
    for (; now < 5_000; now += 1_000) seen.push(outages.begin('Redis'), outages.end('Redis'));
    expect(seen).toEqual([true, 0, ...Array<unknown>(4).fill([false, undefined]).flat()]);
    expect(outages.begin('Redis')).toBe(false);
    now = 12_000;
    expect(outages.begin('Redis')).toBe(true);
    expect(outages.end('Redis')).toBe(7_000);
  });
});
