import { declareGauge } from './declared-gauge.js';
import { Sampler } from './sampler.js';

const MINUTE_MS = 60_000;

const gauge = declareGauge({ name: 'test_sampled', help: 'A sampled value' });
const labelled = declareGauge({ name: 'test_sampled_states', help: 'Sampled values', labelNames: ['state'] as const });

const values = async (): Promise<number[]> => {
  const all = await Promise.all([gauge.get(), labelled.get()]);
  return all.flatMap(({ values: each }) => each.map(({ value }) => value));
};

describe('Sampler', () => {
  let taken: number;
  let take: () => Promise<void>;
  const warn = jest.fn();
  let sampler: Sampler;

  beforeEach(() => {
    jest.useFakeTimers();
    warn.mockClear();
    taken = 0;
    take = async () => {
      taken += 1;
      gauge.set(taken);
      labelled.set({ state: 'a' }, taken);
    };
    sampler = new Sampler([{ name: 's', gauges: [gauge, labelled], seconds: 15, take: () => take() }], { warn });
  });
  afterEach(async () => {
    await sampler.stop();
    jest.useRealTimers();
  });

  it('takes nothing until somebody scrapes, and gauges have no values before', async () => {
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect([taken, await values()]).toEqual([0, []]);
  });

  it('takes one sample for many scrapes, and one every 15 seconds while it is scraped', async () => {
    for (let n = 0; n < 100; n++) void sampler.noteScrape();
    await jest.advanceTimersByTimeAsync(14_000);
    expect([taken, await values()]).toEqual([1, [1, 1]]);
    expect(sampler.ages().get('s')).toBe(14);
    for (let n = 0; n < 100; n++) void sampler.noteScrape();
    await jest.advanceTimersByTimeAsync(46_000);
    expect(taken).toBe(5);
  });

  it('lets the first scrape wait for its values, for a second at most, and no later one', async () => {
    await sampler.noteScrape();
    expect(await values()).toEqual([1, 1]);
    const stuck = new Sampler([{ name: 'stuck', gauges: [], seconds: 15, take: () => new Promise(() => undefined) }], {
      warn,
    });
    let scraped = 0;
    void stuck.noteScrape().then(() => (scraped += 1));
    await jest.advanceTimersByTimeAsync(999);
    expect(scraped).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(scraped).toBe(1);
    await stuck.noteScrape();
  });

  it('stops ten minutes after the last scrape, and has no old values then', async () => {
    void sampler.noteScrape();
    await jest.advanceTimersByTimeAsync(11 * MINUTE_MS);
    const before = taken;
    await jest.advanceTimersByTimeAsync(60 * MINUTE_MS);
    expect([taken, await values(), [...sampler.ages()]]).toEqual([before, [], []]);
    void sampler.noteScrape();
    await jest.advanceTimersByTimeAsync(0);
    expect(taken).toBe(before + 1);
  });

  it('takes a slow sample more rarely', async () => {
    take = async () => {
      taken += 1;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    };
    void sampler.noteScrape();
    await jest.advanceTimersByTimeAsync(99_000);
    expect(taken).toBe(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(taken).toBe(2);
  });

  it('has no values while the sample fails, logs it once, and goes on within a minute', async () => {
    void sampler.noteScrape();
    await jest.advanceTimersByTimeAsync(0);
    const works = take;
    take = () => new Promise((_, reject) => setTimeout(() => reject(new Error('no database')), 10_000));
    await jest.advanceTimersByTimeAsync(4 * MINUTE_MS);
    expect([await values(), warn.mock.calls.length]).toEqual([[], 1]);
    take = works;
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect(await values()).not.toEqual([]);
  });

  it('takes samples one after the other', async () => {
    let running = 0;
    let maxRunning = 0;
    const slow = async (): Promise<void> => {
      maxRunning = Math.max(maxRunning, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 100));
      running -= 1;
    };
    const samples = ['a', 'b', 'c'].map((name) => ({ name, gauges: [], seconds: 15, take: slow }));
    const several = new Sampler(samples, { warn });
    void several.noteScrape();
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect([maxRunning, several.ages().size]).toEqual([1, 3]);
    await several.stop();
  });
});
