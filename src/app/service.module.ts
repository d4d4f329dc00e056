import { type DynamicModule, Module } from '@nestjs/common';
import type { Role } from '../platform/config/index.js';
import { ApiModule } from './api.module.js';
import { features } from './features.js';
import { FoundationModule, type Opened } from './foundation.module.js';
import { HealthModule } from './health/health.module.js';
import { WorkerModule } from './worker.module.js';

/**
 * One process of the service, in its role. The API and the worker both need all features, which listen to each other's
 * events.
 */
@Module({})
export class ServiceModule {
  static on(opened: Opened, role: Role): DynamicModule {
    return {
      module: ServiceModule,
      imports: [
        FoundationModule.on(opened),
        HealthModule,
        ...features,
        ...(role === 'worker' ? [] : [ApiModule.on(opened.config)]),
        ...(role === 'api' ? [] : [WorkerModule]),
      ],
    };
  }
}
