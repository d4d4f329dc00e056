import { Injectable } from '@nestjs/common';
import { type Sql, sql } from '../../platform/database/index.js';
import { type ClockRetention, type ClockWork, ExpiresByClock, GoesByClock } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { RETENTION_DAYS } from './due-imports.cross-tenant.js';

/** The imports of a workspace that wait or run, and those that are too old. */
@Injectable()
export class ImportClockWork {
  @GoesByClock()
  imports(scope: WorkspaceScope): ClockWork {
    return {
      isPending: sql`EXISTS (
        SELECT 1 FROM imports import WHERE import.workspace_id = ${scope} AND import.status IN ('pending', 'running'))`,
    };
  }

  @ExpiresByClock()
  expired(scope: WorkspaceScope): ClockRetention {
    const expired = (instant: Sql): Sql => sql`FROM imports import WHERE import.workspace_id = ${scope}
      AND import.created_at < ${instant} - make_interval(days => ${RETENTION_DAYS})
      AND import.status NOT IN ('pending', 'running')`;
    return {
      isExpiredAt: (instant) => sql`EXISTS (SELECT 1 ${expired(instant)})`,
      delete: async () => {
        await scope.execute(sql`DELETE ${expired(scope.now)}`);
      },
    };
  }
}
