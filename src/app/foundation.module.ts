import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { CONFIG } from '../platform/config/index.js';
import { Keyring, Signer } from '../platform/crypto/index.js';
import { DatabaseModule } from '../platform/database/index.js';
import { EgressPolicy } from '../platform/egress/index.js';
import { EventsModule } from '../platform/events/index.js';
import { Log } from '../platform/logging/index.js';
import { QueueModule } from '../platform/queue/index.js';
import { queues } from './features.js';
import type { ServiceConfig } from './settings.js';

/** What a process has opened before its modules come to life. */
export interface Opened {
  readonly config: ServiceConfig;
  readonly source: DataSource;
  /** Where the source is connected to; the queues connect there too. */
  readonly database_url: string;
  /** Keys that seal stored secrets, the first one for new ones. */
  readonly keys: readonly string[];
  readonly log: Log;
}

/** The mechanisms that every module may ask for: configuration, database, log, keys, events, egress. */
@Global()
@Module({})
export class FoundationModule {
  static on({ config, source, database_url: databaseUrl, keys, log }: Opened): DynamicModule {
    const keyring = new Keyring(keys);
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: Log, useValue: log },
      { provide: Keyring, useValue: keyring },
      { provide: Signer, useValue: new Signer(keyring) },
      { provide: EgressPolicy, useValue: new EgressPolicy(config.egress_allowed_cidrs) },
    ];
    return {
      module: FoundationModule,
      imports: [
        DatabaseModule.on(source),
        EventsModule,
        QueueModule.on({ database_url: databaseUrl, redis_url: config.redis_url }, queues),
      ],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
