import { Test, type TestingModule } from '@nestjs/testing';
import { Database, sql } from '../../src/platform/database/index.js';
import { DecoratedMethodsModule } from '../../src/platform/discovery/index.js';
import { Log } from '../../src/platform/logging/index.js';
import { Scheduled, TaskScheduler } from '../../src/platform/queue/index.js';
import { useDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

class Tasks {
  always = 0;
  whenThereIsAWorkspace = 0;

  @Scheduled('always', 1)
  async runAlways(): Promise<void> {
    this.always += 1;
  }

  @Scheduled('with-condition', 1, sql`EXISTS (SELECT FROM workspaces)`)
  async runWithCondition(): Promise<void> {
    this.whenThereIsAWorkspace += 1;
  }
}

describe('TaskScheduler', () => {
  const fixture = useDatabase(2);
  let module: TestingModule;
  let tasks: Tasks;

  beforeAll(async () => {
    module = await Test.createTestingModule({
      imports: [DecoratedMethodsModule],
      providers: [
        TaskScheduler,
        Tasks,
        { provide: Database, useValue: fixture.database },
        { provide: Log, useValue: new Log('silent') },
      ],
    }).compile();
    await module.init();
    tasks = module.get(Tasks);
  });
  afterAll(() => module.close());

  it('runs a task as soon as its condition holds, and others without it', async () => {
    await eventually(() => expect(tasks.always).toBeGreaterThanOrEqual(2));
    expect(tasks.whenThereIsAWorkspace).toBe(0);
    await fixture.testDatabase.query(`INSERT INTO workspaces (name) VALUES ('Test')`);
    await eventually(() => expect(tasks.whenThereIsAWorkspace).toBeGreaterThanOrEqual(2));
    await fixture.testDatabase.query(`DELETE FROM workspaces`);
    // A poll that had read the condition may still start the task.
    const before = { ...tasks };
    await eventually(() => expect(tasks.always).toBeGreaterThanOrEqual(before.always + 3));
    expect(tasks.whenThereIsAWorkspace).toBeLessThanOrEqual(before.whenThereIsAWorkspace + 1);
  });
});
