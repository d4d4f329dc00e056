import { type DynamicModule, Module } from '@nestjs/common';
import { FoundationModule, type Opened } from './foundation.module.js';

/** The worker: it sends what is due and looks after what was left behind. */
@Module({})
export class WorkerModule {
  static on(opened: Opened): DynamicModule {
    return { module: WorkerModule, imports: [FoundationModule.on(opened)] };
  }
}
