import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { Scheduled } from '@outreach/job-queue';
import { CONFIG } from '../../platform/config/index.js';
import { Database, sql } from '../../platform/database/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { PersonalDataConfig } from '../personal-data.settings.js';
import { deleteExpiredMessages } from './expired-messages.queries.js';
import { deleteExpiredRows, EXPIRING_TABLES } from './expired-rows.queries.js';

const HOUR_SECONDS = 3_600;

/**
 * Deletes what is older than `HISTORY_RETENTION_DAYS` in all workspaces
 * ([ADR 82](../../../docs/adr/0082-history-expires-and-figures-stay.md)). What a run leaves, the next one deletes.
 */
@Injectable()
export class HistoryRetention implements BeforeApplicationShutdown {
  private readonly database: Database;
  private readonly stopping = new AbortController();

  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: Pick<PersonalDataConfig, 'history_retention_days'>,
    private readonly log: Log,
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
    for (const { id } of workspaces) await this.deleteHistory(await WorkspaceScope.open(id, this.database), days);
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async deleteHistory(scope: WorkspaceScope, days: number): Promise<void> {
    const isEnough = (): boolean => this.stopping.signal.aborted;
    if (isEnough()) return;
    try {
      for (const table of EXPIRING_TABLES) await deleteExpiredRows(scope, table, days, isEnough);
      await deleteExpiredMessages(scope, days, isEnough);
    } catch (error) {
      this.log.error('the history of a workspace could not be deleted; it is repeated', {
        workspace_id: scope.workspace_id,
        error,
      });
    }
  }
}
