import { type DynamicModule, Module } from '@nestjs/common';
import type { Role } from '../platform/config/index.js';
import { ApiModule } from './api.module.js';
import { features } from './features.js';
import { FoundationModule, type Opened } from './foundation.module.js';
import { WorkerModule } from './worker.module.js';

/** One process of the service, in its role. The features are in both halves: each hears the events of the others. */
@Module({})
export class ServiceModule {
  static on(opened: Opened, role: Role): DynamicModule {
    return {
      module: ServiceModule,
      imports: [
        FoundationModule.on(opened),
        ...features,
        ...(role === 'worker' ? [] : [ApiModule]),
        ...(role === 'api' ? [] : [WorkerModule]),
      ],
    };
  }
}
