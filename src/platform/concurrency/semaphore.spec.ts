import { TooManyRequests } from '../errors/index.js';
import { Semaphore, KeyedSemaphore } from './index.js';

/** Pieces of work that end when they are told to. */
class ControlledTasks {
  readonly started: string[] = [];
  private readonly ends = new Map<string, (failure?: Error) => void>();

  of = (name: string) => (): Promise<string> => {
    this.started.push(name);
    return new Promise((resolve, reject) => {
      this.ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)));
    });
  };

  /** Ends one, and lets everything happen that follows from it. */
  async end(name: string, failure?: Error): Promise<void> {
    this.ends.get(name)?.(failure);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const settledValue = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('Semaphore', () => {
  it('lets so many run at a time, in the order in which they came, whether they fail or not', async () => {
    const semaphore = new Semaphore(2);
    const tasks = new ControlledTasks();
    const results = ['a', 'b', 'c', 'd', 'e'].map((name) => settledValue(semaphore.run(tasks.of(name))));
    expect(tasks.started).toEqual(['a', 'b']);
    const failure = new Error('failed');
    await tasks.end('a', failure);
    expect(tasks.started).toEqual(['a', 'b', 'c']);
    await tasks.end('c');
    expect(tasks.started).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['b', 'd', 'e']) await tasks.end(name);
    expect(await Promise.all(results)).toEqual([failure, 'b', 'c', 'd', 'e']);
    expect(await semaphore.run(async () => 'f')).toBe('f');
  });

  it('gives a free turn to who waits, not to who comes at that moment', async () => {
    const semaphore = new Semaphore(1);
    const tasks = new ControlledTasks();
    const all = [semaphore.run(tasks.of('first')), semaphore.run(tasks.of('waiting'))];
    const ended = tasks.end('first');
    all.push(semaphore.run(tasks.of('late')));
    await ended;
    expect(tasks.started).toEqual(['first', 'waiting']);
    await tasks.end('waiting');
    await tasks.end('late');
    expect(await Promise.all(all)).toEqual(['first', 'waiting', 'late']);
  });

  it('gives a turn back where work fails before it has begun to wait', async () => {
    const semaphore = new Semaphore(1);
    const failure = new Error('at once');
    const broken = (): Promise<never> => {
      throw failure;
    };
    expect(await settledValue(semaphore.run(broken))).toBe(failure);
    expect(await semaphore.run(async () => 'next')).toBe('next');
  });

  it('turns away who would be one too many to wait, and forgets about it', async () => {
    const semaphore = new Semaphore(1, 2);
    const tasks = new ControlledTasks();
    const accepted = ['a', 'b', 'c'].map((name) => semaphore.run(tasks.of(name)));
    expect(await settledValue(semaphore.run(tasks.of('too many')))).toBeInstanceOf(TooManyRequests);
    await tasks.end('a');
    accepted.push(semaphore.run(tasks.of('d')));
    for (const name of ['b', 'c', 'd']) await tasks.end(name);
    expect(await Promise.all(accepted)).toEqual(['a', 'b', 'c', 'd']);
    expect(tasks.started).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('KeyedSemaphore', () => {
  it('lets nobody wait for the work of another', async () => {
    const semaphore = new KeyedSemaphore<number>(1, 1);
    const tasks = new ControlledTasks();
    const first = [semaphore.run(1, tasks.of('our first')), semaphore.run(1, tasks.of('our second'))];
    expect(await settledValue(semaphore.run(1, tasks.of('our third')))).toBeInstanceOf(TooManyRequests);
    const second = [semaphore.run(2, tasks.of('their first')), semaphore.run(2, tasks.of('their second'))];
    expect(tasks.started).toEqual(['our first', 'their first']);
    await tasks.end('their first');
    expect(tasks.started).toEqual(['our first', 'their first', 'their second']);
    for (const name of ['their second', 'our first', 'our second']) await tasks.end(name);
    expect(await Promise.all([...first, ...second])).toHaveLength(4);
  });

  it('keeps to its numbers for one key, however often that had nothing to do in between', async () => {
    const semaphore = new KeyedSemaphore<string>(2);
    const tasks = new ControlledTasks();
    for (const round of ['1', '2']) {
      const all = ['a', 'b', 'c'].map((name) => semaphore.run('key', tasks.of(name + round)));
      expect(tasks.started.filter((name) => name.endsWith(round))).toEqual([`a${round}`, `b${round}`]);
      await tasks.end(`b${round}`);
      expect(tasks.started.at(-1)).toBe(`c${round}`);
      all.push(semaphore.run('key', tasks.of(`d${round}`)));
      expect(tasks.started.at(-1)).toBe(`c${round}`);
      for (const name of ['a', 'c', 'd']) await tasks.end(name + round);
      await Promise.all(all);
    }
  });

  it('remembers nobody who has nothing to do, failed or was turned away', async () => {
    const semaphore = new KeyedSemaphore<string>(1, 0);
    const tasks = new ControlledTasks();
    const remembered = (): number =>
      Reflect.get<{ entries: Map<string, unknown> }, 'entries'>(semaphore as never, 'entries').size;
    const running = semaphore.run('key', tasks.of('a'));
    expect(await settledValue(semaphore.run('key', tasks.of('b')))).toBeInstanceOf(TooManyRequests);
    expect(remembered()).toBe(1);
    expect(await settledValue(semaphore.run('key', tasks.of('c')))).toBeInstanceOf(TooManyRequests);
    await tasks.end('a');
    await running;
    expect(remembered()).toBe(0);
    await settledValue(semaphore.run('key', () => Promise.reject(new Error('failed'))));
    expect(remembered()).toBe(0);
  });
});
