import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { type ClockRetention, ExpiresByClock } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { PersonalDataConfig } from '../personal-data.settings.js';
import { deleteExpiredMessages, hasExpiredMessages } from './expired-messages.queries.js';
import { deleteExpiredRows, EXPIRING_TABLES, hasExpiredRows } from './expired-rows.queries.js';

/** The history of one workspace that has expired. */
@Injectable()
export class HistoryClockRetention {
  constructor(@Inject(CONFIG) private readonly config: Pick<PersonalDataConfig, 'history_retention_days'>) {}

  @ExpiresByClock()
  rows(scope: WorkspaceScope): ClockRetention {
    const { history_retention_days: days } = this.config;
    if (days === undefined) return NOTHING;
    const hasExpired = EXPIRING_TABLES.map((table) => (instant: Sql) => hasExpiredRows(scope, table, days, instant));
    return {
      isExpiredAt: (instant) =>
        sql.join(
          hasExpired.map((has) => has(instant)),
          ' OR ',
        ),
      delete: async () => {
        for (const table of EXPIRING_TABLES) await deleteExpiredRows(scope, table, days);
      },
    };
  }

  @ExpiresByClock()
  messages(scope: WorkspaceScope): ClockRetention {
    const { history_retention_days: days } = this.config;
    if (days === undefined) return NOTHING;
    return {
      isExpiredAt: (instant) => hasExpiredMessages(scope, days, instant),
      delete: () => deleteExpiredMessages(scope, days),
    };
  }
}

const NOTHING: ClockRetention = { isExpiredAt: () => sql`FALSE`, delete: () => Promise.resolve() };
