import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { Log } from '../../platform/logging/index.js';
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
    private readonly log: Log,
  ) {}

  @Every(1)
  async decide(): Promise<void> {
    const due = await this.database.query<{ workspace_id: number }>(
      sql`SELECT DISTINCT workspace_id FROM message_hits
          WHERE verdict = 'undecided' AND created_at <= now() - make_interval(secs => ${GRACE_SECONDS})`,
    );
    for (const { workspace_id: id } of due) await this.decideIn(WorkspaceScope.open(id, this.database));
  }

  /** What fails is due again a second later, and keeps nobody else waiting. */
  private async decideIn(scope: WorkspaceScope): Promise<void> {
    try {
      await this.verdicts.decide(scope);
    } catch (error) {
      this.log.error('hits could not be decided', { error, workspace_id: scope.workspace_id });
    }
  }
}
