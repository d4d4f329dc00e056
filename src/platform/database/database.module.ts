import { type DynamicModule, Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { BackgroundSteps, KeyActivity } from '@outreach/concurrency';
import { TenantDatabase, type TimeLimits } from '@outreach/database';
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
   * @param clocks by default, all workspaces have the real time
   */
  static on(source: DataSource, limits: TimeLimits, clocks = new WorkspaceClocks()): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({ useFactory: () => source.options, dataSourceFactory: async () => source }),
      ],
      providers: [
        { provide: WorkspaceClocks, useValue: clocks },
        {
          provide: Database,
          inject: [getDataSourceToken(), WorkspaceClocks],
          useFactory: (opened: DataSource, own: WorkspaceClocks) =>
            new Database(opened).withTimeLimits(limits).withClocks(own),
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
