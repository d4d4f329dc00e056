import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import { Database, sql } from '../../platform/database/index.js';
import { Scheduled } from '../../platform/queue/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { PersonalDataConfig } from '../personal-data.settings.js';
import { deleteExpiredMessages } from './expired-messages.queries.js';
import { deleteExpiredRows, EXPIRING_TABLES } from './expired-rows.queries.js';

const HOUR_SECONDS = 3_600;

/** Deletes what is older than `HISTORY_RETENTION_DAYS` in all workspaces ([ADR 82](../../../docs/adr/0082-history-expires-and-figures-stay.md)). */
@Injectable()
export class HistoryRetention implements BeforeApplicationShutdown {
  private readonly database: Database;
  private isStopping = false;

  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: Pick<PersonalDataConfig, 'history_retention_days'>,
  ) {
    this.database = database.withoutTimeLimits();
  }

  get isOn(): boolean {
    return this.config.history_retention_days !== undefined;
  }

  @Scheduled(({ isOn }: HistoryRetention) => (isOn ? 'delete-expired-history' : undefined), HOUR_SECONDS)
  async deleteExpired(): Promise<void> {
    const { history_retention_days: days } = this.config;
    if (days === undefined) return;
    const workspaces = await this.database.query<{ id: number }>(sql`SELECT id FROM workspaces ORDER BY id`);
    for (const { id } of workspaces) {
      if (this.isStopping) return;
      await deleteHistory(WorkspaceScope.open(id, this.database), days);
    }
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }
}

async function deleteHistory(scope: WorkspaceScope, days: number): Promise<void> {
  for (const table of EXPIRING_TABLES) await deleteExpiredRows(scope, table, days);
  await deleteExpiredMessages(scope, days);
}
