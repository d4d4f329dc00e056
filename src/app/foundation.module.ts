import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Log } from '@outreach/logging';
import { requestLimits } from '@outreach/database';
import { describeDatabase } from '@outreach/postgres-connections';
import { Signer } from '@outreach/keyring';
import { CONFIG } from '../platform/config/index.js';
import { Keyring } from '../platform/crypto/index.js';
import { CsvExports } from '../platform/csv/index.js';
import { DatabaseModule, type WorkspaceClocks } from '../platform/database/index.js';
import { DnsClient } from '../platform/dns/index.js';
import { EgressPolicy } from '@outreach/egress';
import { EventsModule } from '../platform/events/index.js';
import { KEY_IS_NEEDED } from '../platform/keyed-hash/index.js';
import { WorkspaceLimits } from '../platform/limits/index.js';
import { QueueMetrics, WorkspaceWork } from '../platform/queue/index.js';
import { QueueModule } from '@outreach/job-queue';
import { StreamedFiles } from '../platform/streams/index.js';
import { SandboxClocks } from '../sandbox/index.js';
import { keyIsNeeded } from './encryption-keys.cross-tenant.js';
import { queues } from './features.js';
import type { ServiceConfig } from './settings.js';

const MS_PER_SECOND = 1000;

/** What a person can do whose host is refused: the installation may be their own. */
const EGRESS_WAY_OUT = 'The operator of the service can allow its network in EGRESS_ALLOWED_CIDRS.';

/** What a process opens before it creates its modules. */
export interface Opened {
  readonly config: ServiceConfig;
  readonly source: DataSource;
  /** The database of the source, for what needs a session for itself: the queues and the session of a worker. */
  readonly queue_database_url: string;
  /** The keys of stored secrets; the first encrypts new ones. */
  readonly keys: readonly string[];
  readonly log: Log;
  /** By default, those of sandboxes are stored, and all other workspaces have the real time. */
  readonly clocks?: WorkspaceClocks;
}

/** Provides what every module may inject: configuration, database, log, keys, events, egress. */
@Global()
@Module({})
export class FoundationModule {
  static on({ config, source, queue_database_url: databaseUrl, keys, log, clocks }: Opened): DynamicModule {
    const keyring = new Keyring(keys);
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: Log, useValue: log },
      { provide: Keyring, useValue: keyring },
      { provide: KEY_IS_NEEDED, useValue: keyIsNeeded },
      { provide: Signer, useValue: new Signer(keyring) },
      { provide: WorkspaceLimits, useValue: new WorkspaceLimits(config.workspace_limits) },
      { provide: CsvExports, useClass: CsvExports },
      { provide: StreamedFiles, useClass: StreamedFiles },
      { provide: DnsClient, useClass: DnsClient },
      { provide: EgressPolicy, useValue: new EgressPolicy(config.egress_allowed_cidrs, EGRESS_WAY_OUT) },
    ];
    return {
      module: FoundationModule,
      imports: [
        DatabaseModule.on(
          source,
          `PostgreSQL ${describeDatabase(config.database_url ?? databaseUrl)}`,
          requestLimits(config.statement_timeout_seconds * MS_PER_SECOND),
          clocks ?? new SandboxClocks(),
        ),
        EventsModule,
        QueueModule.on(
          { database_url: databaseUrl, redis_url: config.redis_url, session_name: 'outreach worker session' },
          queues,
          WorkspaceWork,
        ),
      ],
      providers: [...providers, QueueMetrics],
      exports: providers.map(({ provide }) => provide),
    };
  }
}
