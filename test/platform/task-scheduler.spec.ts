import { Test, type TestingModule } from '@nestjs/testing';
import { DecoratedMethodsModule } from '@outreach/decorated-methods';
import { Log } from '@outreach/logging';
import { TenantDatabase } from '@outreach/database';
import { DueWorkHost, Scheduled, TaskScheduler } from '@outreach/job-queue';
import { sql } from '../../src/platform/database/index.js';
import { WorkspaceWork } from '../../src/platform/queue/index.js';
import { useDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const ALL_BUT_INTERVALS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];

class Tasks {
  always = 0;
  whenThereIsAWorkspace = 0;

  @Scheduled('always', 3_600)
  async runAlways(): Promise<void> {
    this.always += 1;
  }

  @Scheduled('with-condition', 3_600, sql`EXISTS (SELECT FROM workspaces)`)
  async runWithCondition(): Promise<void> {
    this.whenThereIsAWorkspace += 1;
  }
}

describe('TaskScheduler', () => {
  const fixture = useDatabase(2);
  let module: TestingModule;
  let tasks: Tasks;

  beforeAll(async () => {
    // The scheduler polls when the test says so.
    jest.useFakeTimers({ doNotFake: ALL_BUT_INTERVALS });
    module = await Test.createTestingModule({
      imports: [DecoratedMethodsModule],
      providers: [
        TaskScheduler,
        Tasks,
        { provide: DueWorkHost, useValue: new WorkspaceWork(fixture.database) },
        { provide: TenantDatabase, useValue: fixture.database },
        { provide: Log, useValue: new Log('silent') },
      ],
    }).compile();
    await module.init();
    tasks = module.get(Tasks);
  });
  afterAll(async () => {
    await module.close();
    jest.useRealTimers();
  });

  /** Makes both tasks due, and lets the scheduler poll once. @returns what is still due after it */
  async function pollOnce(): Promise<string[]> {
    await fixture.testDatabase.query('UPDATE scheduled_tasks SET next_run_at = now()');
    const before = tasks.always;
    jest.advanceTimersByTime(1_000);
    await eventually(() => expect(tasks.always).toBe(before + 1));
    const due = await fixture.testDatabase.query<{ name: string }>(
      'SELECT name FROM scheduled_tasks WHERE next_run_at <= now()',
    );
    return due.map(({ name }) => name);
  }

  it('runs a task as soon as its condition holds, and others without it, and each after its time again', async () => {
    expect(await pollOnce()).toEqual(['with-condition']);
    expect(tasks.whenThereIsAWorkspace).toBe(0);
    await fixture.testDatabase.query(`INSERT INTO workspaces (name) VALUES ('Test')`);
    for (const runs of [1, 2]) {
      expect(await pollOnce()).toEqual([]);
      expect(tasks.whenThereIsAWorkspace).toBe(runs);
    }
    await fixture.testDatabase.query(`DELETE FROM workspaces`);
    expect(await pollOnce()).toEqual(['with-condition']);
    expect(tasks).toMatchObject({ always: 4, whenThereIsAWorkspace: 2 });
  });
});
