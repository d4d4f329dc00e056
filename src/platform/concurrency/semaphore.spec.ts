import { TooManyRequests } from '../errors/index.js';
import { KeyedSemaphore, Semaphore } from './index.js';

/** Tasks that end when the test says so. */
class ControlledTasks {
  readonly started: string[] = [];
  private readonly ends = new Map<string, (failure?: Error) => void>();

  of = (name: string) => (): Promise<string> => {
    this.started.push(name);
    return new Promise((resolve, reject) => {
      this.ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)));
    });
  };

  /** Ends a task, and waits for everything that follows. */
  async end(name: string, failure?: Error): Promise<void> {
    this.ends.get(name)?.(failure);
    await settle();
  }
}

/** Waits until each task has started that may start. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const settledValue = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('Semaphore', () => {
  it('runs a limited number of tasks at a time, in the order of the calls, whether they fail or not', async () => {
    const semaphore = new Semaphore(2);
    const tasks = new ControlledTasks();
    const results = ['a', 'b', 'c', 'd', 'e'].map((name) => settledValue(semaphore.run(tasks.of(name))));
    await settle();
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

  it('starts a waiting task before one that arrives while another task ends', async () => {
    const semaphore = new Semaphore(1);
    const tasks = new ControlledTasks();
    const all = [semaphore.run(tasks.of('first')), semaphore.run(tasks.of('waiting'))];
    await settle();
    const ended = tasks.end('first');
    all.push(semaphore.run(tasks.of('late')));
    await ended;
    expect(tasks.started).toEqual(['first', 'waiting']);
    await tasks.end('waiting');
    await tasks.end('late');
    expect(await Promise.all(all)).toEqual(['first', 'waiting', 'late']);
  });

  it('runs the next task after one that throws synchronously', async () => {
    const semaphore = new Semaphore(1);
    const failure = new Error('at once');
    const broken = (): Promise<never> => {
      throw failure;
    };
    expect(await settledValue(semaphore.run(broken))).toBe(failure);
    expect(await semaphore.run(async () => 'next')).toBe('next');
  });

  it('rejects a task if too many are waiting, and accepts the next one when one of them has started', async () => {
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
  it('does not let the tasks of one key wait for those of another', async () => {
    const semaphore = new KeyedSemaphore<number>(1, 1);
    const tasks = new ControlledTasks();
    const first = [semaphore.run(1, tasks.of('our first')), semaphore.run(1, tasks.of('our second'))];
    expect(await settledValue(semaphore.run(1, tasks.of('our third')))).toBeInstanceOf(TooManyRequests);
    const second = [semaphore.run(2, tasks.of('their first')), semaphore.run(2, tasks.of('their second'))];
    await settle();
    expect(tasks.started).toEqual(['our first', 'their first']);
    await tasks.end('their first');
    expect(tasks.started).toEqual(['our first', 'their first', 'their second']);
    for (const name of ['their second', 'our first', 'our second']) await tasks.end(name);
    expect(await Promise.all([...first, ...second])).toHaveLength(4);
  });

  it('applies its limits to a key again after the key had no tasks', async () => {
    const semaphore = new KeyedSemaphore<string>(2);
    const tasks = new ControlledTasks();
    for (const round of ['1', '2']) {
      const all = ['a', 'b', 'c'].map((name) => semaphore.run('key', tasks.of(name + round)));
      await settle();
      expect(tasks.started.filter((name) => name.endsWith(round))).toEqual([`a${round}`, `b${round}`]);
      await tasks.end(`b${round}`);
      expect(tasks.started.at(-1)).toBe(`c${round}`);
      all.push(semaphore.run('key', tasks.of(`d${round}`)));
      await settle();
      expect(tasks.started.at(-1)).toBe(`c${round}`);
      for (const name of ['a', 'c', 'd']) await tasks.end(name + round);
      await Promise.all(all);
    }
  });

  it('removes a key when it has no tasks, also after a failure or a rejection', async () => {
    const semaphore = new KeyedSemaphore<string>(1, 0);
    const tasks = new ControlledTasks();
    const size = (): number =>
      Reflect.get<{ entries: Map<string, unknown> }, 'entries'>(semaphore as never, 'entries').size;
    const running = semaphore.run('key', tasks.of('a'));
    expect(await settledValue(semaphore.run('key', tasks.of('b')))).toBeInstanceOf(TooManyRequests);
    expect(size()).toBe(1);
    expect(await settledValue(semaphore.run('key', tasks.of('c')))).toBeInstanceOf(TooManyRequests);
    await tasks.end('a');
    await running;
    expect(size()).toBe(0);
    await settledValue(semaphore.run('key', () => Promise.reject(new Error('failed'))));
    expect(size()).toBe(0);
  });
});
