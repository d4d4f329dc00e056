import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { Every } from '../../platform/queue/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { HitVerdicts } from './hit-verdicts.js';
import { GRACE_SECONDS } from './scanners.js';

/** Has hits decided as soon as they are due. Looks in all workspaces: an index holds nothing but undecided hits. */
@Injectable()
export class UndecidedHits {
  constructor(
    private readonly database: Database,
    private readonly verdicts: HitVerdicts,
  ) {}

  @Every(1)
  async decide(): Promise<void> {
    const due = await this.database.query<{ workspace_id: number }>(
      sql`SELECT DISTINCT workspace_id FROM message_hits
          WHERE verdict = 'undecided' AND created_at <= now() - make_interval(secs => ${GRACE_SECONDS})`,
    );
    for (const { workspace_id: workspaceId } of due) {
      await this.verdicts.decide(WorkspaceScope.open(workspaceId, this.database));
    }
  }
}
