import { RepeatedLines } from './repeated-lines.js';

describe('RepeatedLines', () => {
  it('admits an equal line once in ten seconds, with the number of those between', () => {
    let now = 0;
    const lines = new RepeatedLines(() => now);
    const admitted: unknown[] = [];
    const write = (key: string): void => {
      const repeated = lines.admit(key);
      if (repeated !== undefined) admitted.push([now, key, repeated]);
    };
    for (; now < 20_000; now += 1_000) write('refused');
    write('starting up');
    write('refused');
    expect(admitted).toEqual([
      [0, 'refused', 0],
      [10_000, 'refused', 9],
      [20_000, 'starting up', 0],
      [20_000, 'refused', 9],
    ]);
  });

  it('does not remember more than a thousand lines', () => {
    const lines = new RepeatedLines(() => 0);
    for (let number = 0; number <= 1_000; number++) lines.admit(`line ${number}`);
    expect([lines.admit('line 1000'), lines.admit('line 0')]).toEqual([undefined, 0]);
  });
});
