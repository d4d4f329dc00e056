import { eventually, TIME_FACTOR } from '../../../test/support/eventually.js';
import { TaskTerminated, ThreadPool } from './index.js';

type ThreadTask = 'thread' | 'wait' | 'fail' | 'never end' | 'exit';

const TASKS = new URL('../../../test/support/thread-tasks.js', import.meta.url);
/** No task that ends takes so long, however slow the machine is. */
const AMPLE_MS = 3_600_000;
/** A limit that a test waits for. */
const LIMIT_MS = 1_000 * Math.min(TIME_FACTOR, 5);
const poolOf = (timeoutMs = AMPLE_MS, perKey = 2) =>
  new ThreadPool<ThreadTask, number>(TASKS, { threads: 2, perKey, timeoutMs });

describe('ThreadPool', () => {
  it('runs tasks beside the event loop, in as many threads as it has', async () => {
    const pool = poolOf();
    const threads = await Promise.all(Array.from({ length: 8 }, () => pool.run(1, 'wait')));
    expect(new Set(threads).size).toBe(2);
    expect(threads).not.toContain(0);
  });

  it('gives a thread to another key while one key has tasks waiting', async () => {
    const pool = poolOf(AMPLE_MS, 1);
    // Both threads have started before their order matters.
    await Promise.all([pool.run(1, 'wait'), pool.run(2, 'wait')]);
    const ended: string[] = [];
    const first = Array.from({ length: 20 }, () => pool.run(1, 'wait').then(() => ended.push('first')));
    await pool.run(2, 'wait').then(() => ended.push('second'));
    expect(ended.filter((key) => key === 'first').length).toBeLessThan(20);
    await Promise.all(first);
  });

  it('throws what a task throws, and continues with its thread', async () => {
    const pool = poolOf(AMPLE_MS, 1);
    const thread = await pool.run(1, 'thread');
    await expect(pool.run(1, 'fail')).rejects.toThrow('no');
    expect(await pool.run(1, 'thread')).toBe(thread);
  });

  it('fails a task whose thread has ended, and starts another thread', async () => {
    const pool = poolOf(LIMIT_MS);
    await expect(pool.run(1, 'exit')).rejects.toThrow(TaskTerminated);
    // Repeated, because a thread may start more slowly than the limit.
    expect(await eventually(() => pool.run(1, 'thread'))).toBeGreaterThan(0);
  });

  it('ends tasks that take too long', async () => {
    const pool = poolOf(LIMIT_MS);
    // The third one gets the place of an ended one.
    const tasks = await Promise.allSettled([1, 2, 3].map((key) => pool.run(key, 'never end')));
    expect(tasks).toMatchObject(Array(3).fill({ status: 'rejected', reason: expect.any(TaskTerminated) }));
  });
});
