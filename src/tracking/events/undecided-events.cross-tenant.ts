import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { Log } from '../../platform/logging/index.js';
import { Scheduled } from '../../platform/queue/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { BotClassifier } from './bot-classifier.js';
import { GRACE_SECONDS } from './bot-detector.js';

/** Classifies due tracking events of all workspaces every second. A partial index contains the undecided events only. */
@Injectable()
export class UndecidedEvents {
  private readonly database: Database;

  constructor(
    database: Database,
    private readonly classifier: BotClassifier,
    private readonly log: Log,
  ) {
    this.database = database.withoutTimeLimits();
  }

  @Scheduled('classify-tracking-events', 1)
  async classify(): Promise<void> {
    const due = await this.database.query<{ workspace_id: number }>(
      sql`SELECT DISTINCT workspace_id FROM tracking_events
          WHERE classification = 'undecided' AND created_at <= ${this.database.nowOf(sql`workspace_id`)} - make_interval(secs => ${GRACE_SECONDS})`,
    );
    for (const { workspace_id: id } of due) await this.classifyIn(WorkspaceScope.open(id, this.database));
  }

  /** An error does not affect other workspaces. The events stay due, so the next run repeats them. */
  private async classifyIn(scope: WorkspaceScope): Promise<void> {
    try {
      await this.classifier.classify(scope);
    } catch (error) {
      this.log.error('tracking events could not be classified', { error, workspace_id: scope.workspace_id });
    }
  }
}
