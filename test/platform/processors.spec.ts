import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { Log } from '@outreach/logging';
import { SchedulerModule } from '@outreach/job-queue';
import { dataSourceOptions } from '../../ormconfig.js';
import { features, workers } from '../../src/app/features.js';
import { FoundationModule } from '../../src/app/foundation.module.js';
import { loadConfig } from '../../src/app/settings.js';
import { SendingWorkerModule, PLANNING } from '../../src/sending/index.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { redisSettings } from '../support/test-redis.js';

const KEY = 'a key that only tests use';

@Processor(PLANNING, { autorun: false })
class SecondPlanningProcessor extends WorkerHost {
  async process(): Promise<void> {}
}

describe('the start of a worker', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  async function start(modules: ModuleMetadata): Promise<void> {
    const source = await new DataSource(dataSourceOptions(database.url, 4)).initialize();
    const config = loadConfig({ DATABASE_URL: database.url, ENCRYPTION_KEY: KEY, ...redisSettings(database) });
    const opened = {
      config,
      source,
      queue_database_url: database.url,
      keys: [KEY],
      log: new Log('silent'),
    };
    const module = await Test.createTestingModule({
      ...modules,
      imports: [FoundationModule.on(opened), ...features, SchedulerModule, ...(modules.imports ?? [])],
    }).compile();
    try {
      await module.init();
    } finally {
      await module.close();
    }
  }

  it('succeeds when each queue has one processor', async () => {
    await start({ imports: workers });
  });

  it('fails when a queue has no processor', async () => {
    await expect(start({ imports: [SendingWorkerModule] })).rejects.toThrow(/exactly one processor, but has none/);
  });

  it('fails when a queue has two processors', async () => {
    await expect(start({ imports: workers, providers: [SecondPlanningProcessor] })).rejects.toThrow(
      /planning needs exactly one processor, but has (PlanningProcessor and Second|SecondPlanningProcessor and Planning)/,
    );
  });
});
