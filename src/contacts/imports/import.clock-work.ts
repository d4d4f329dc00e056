import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { type ClockWork, GoesByClock } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** The imports of a workspace that wait or run. */
@Injectable()
export class ImportClockWork {
  @GoesByClock()
  imports(scope: WorkspaceScope): ClockWork {
    return {
      isPending: sql`EXISTS (
        SELECT 1 FROM imports import WHERE import.workspace_id = ${scope} AND import.status IN ('pending', 'running'))`,
    };
  }
}
