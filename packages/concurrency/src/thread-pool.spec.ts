import { TaskTerminated, ThreadPool } from './index.js';

type ThreadTask = 'thread' | 'wait' | 'fail' | 'never end' | 'exit';

const TASKS = new URL('../../../test/support/thread-tasks.js', import.meta.url);
/** Starts after two seconds. */
const LATE = new URL('../../../test/support/late-thread.js', import.meta.url);
const poolOf = (timeoutMs = 20_000, perKey = 2) =>
  new ThreadPool<ThreadTask, number>(TASKS, { concurrency: 2, perKey, timeoutMs });

describe('ThreadPool', () => {
  it('runs tasks beside the event loop, in as many threads as it has', async () => {
    const pool = poolOf();
    const threads = await Promise.all(Array.from({ length: 8 }, () => pool.run(1, 'wait')));
    expect(new Set(threads).size).toBe(2);
    expect(threads).not.toContain(0);
  });

  it('gives a thread to another key while one key has tasks waiting', async () => {
    const pool = poolOf(20_000, 1);
    // Both threads have started before their order matters.
    await Promise.all([pool.run(1, 'wait'), pool.run(2, 'wait')]);
    const ended: string[] = [];
    const first = Array.from({ length: 6 }, () => pool.run(1, 'wait').then(() => ended.push('first')));
    await pool.run(2, 'wait').then(() => ended.push('second'));
    expect(ended.filter((key) => key === 'first').length).toBeLessThanOrEqual(3);
    await Promise.all(first);
  });

  it('throws what a task throws, and continues with its thread', async () => {
    const pool = poolOf(20_000, 1);
    const thread = await pool.run(1, 'thread');
    await expect(pool.run(1, 'fail')).rejects.toThrow('no');
    expect(await pool.run(1, 'thread')).toBe(thread);
  });

  it('gives a task all of its time, however long its thread takes to start', async () => {
    const started = new ThreadPool<unknown, number>(LATE, { concurrency: 1, perKey: 1, timeoutMs: 1_000 });
    await expect(started.run(1, 'thread')).resolves.toBeGreaterThan(0);
  });

  it.each(['never end', 'exit'] as const)(
    'ends a task that does not reply (%s), and starts another thread',
    async (task) => {
      const pool = poolOf(1_000);
      await expect(pool.run(1, task)).rejects.toThrow(TaskTerminated);
      await expect(poolOf().run(1, 'thread')).resolves.toBeGreaterThan(0);
      await expect(Promise.all([pool.run(1, 'never end'), pool.run(2, 'never end')])).rejects.toThrow(TaskTerminated);
    },
  );
});
