import { QueueErrorLog } from './queue-error-log.js';

describe('QueueErrorLog', () => {
  it('logs the same error of a queue once in ten seconds, with the number of those between', () => {
    let now = 0;
    const lines: unknown[] = [];
    const log = new QueueErrorLog({ warn: (_: string, fields: unknown) => lines.push(fields) }, () => now);
    const [refused, starting] = [new Error('refused'), new Error('starting up')];
    for (; now < 20_000; now += 1_000) log.report('sending', refused);
    log.report('sending', starting);
    log.report('planning', refused);
    expect(lines).toEqual([
      { queue: 'sending', error: refused },
      { queue: 'sending', error: refused, repeated: 9 },
      { queue: 'sending', error: starting },
      { queue: 'planning', error: refused },
    ]);
  });

  it('does not remember more than a hundred errors', () => {
    const lines: unknown[] = [];
    const log = new QueueErrorLog({ warn: (_: string, fields: unknown) => lines.push(fields) }, () => 0);
    for (let number = 0; number < 101; number++) log.report('sending', new Error(`error ${number}`));
    log.report('sending', new Error('error 0'));
    expect(lines).toHaveLength(102);
  });
});
