import { type DynamicModule, Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { BackgroundSteps, KeyActivity } from '@outreach/concurrency';
import { initialSession, TenantDatabase, type TimeLimits } from '@outreach/database';
import { Log } from '@outreach/logging';
import { FAIR_QUEUES } from '../concurrency/index.js';
import { Database } from './database.js';
import { PoolMetrics } from './pool-metrics.js';
import { WorkspaceClocks } from './workspace-clocks.js';

/**
 * Provides the open database, the clocks of the workspaces and the activity to all modules, and closes the database
 * together with the application.
 */
@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param source an initialised data source; the module closes it
   * @param limits the time limits of statements that do not declare others
   * @param name what the log calls the database
   * @param clocks by default, all workspaces have the real time
   */
  static on(source: DataSource, name: string, limits: TimeLimits, clocks = new WorkspaceClocks()): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({ useFactory: () => source.options, dataSourceFactory: async () => source }),
      ],
      providers: [
        { provide: WorkspaceClocks, useValue: clocks },
        {
          provide: Database,
          inject: [getDataSourceToken(), WorkspaceClocks, Log],
          useFactory: (opened: DataSource, own: WorkspaceClocks, log: Log) => {
            const watch = { lost: (error: unknown) => log.lost(name, error), restored: () => log.restored(name) };
            const session = initialSession(opened, FAIR_QUEUES.searches, watch);
            return new Database(opened, session).withTimeLimits(limits).withClocks(own);
          },
        },
        { provide: TenantDatabase, useExisting: Database },
        { provide: KeyActivity, inject: [Database], useFactory: ({ activity }: Database) => activity },
        {
          provide: BackgroundSteps,
          inject: [KeyActivity],
          useFactory: (activity: KeyActivity) => new BackgroundSteps(activity),
        },
        PoolMetrics,
      ],
      exports: [BackgroundSteps, Database, KeyActivity, TenantDatabase, WorkspaceClocks],
    };
  }
}
