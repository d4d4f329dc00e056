import { type DynamicModule, Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { WorkspaceActivity } from '../concurrency/index.js';
import { Database } from './database.js';
import type { TimeLimits } from './time-limits.js';

/** Provides the open database and its activity to all modules, and closes it together with the application. */
@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param source an initialised data source; the module closes it
   * @param limits the time limits of statements that do not declare others
   */
  static on(source: DataSource, limits: TimeLimits): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({ useFactory: () => source.options, dataSourceFactory: async () => source }),
      ],
      providers: [
        {
          provide: Database,
          inject: [getDataSourceToken()],
          useFactory: (opened: DataSource) => new Database(opened).withTimeLimits(limits),
        },
        { provide: WorkspaceActivity, inject: [Database], useFactory: ({ activity }: Database) => activity },
      ],
      exports: [Database, WorkspaceActivity],
    };
  }
}
