import { Injectable } from '@nestjs/common';
import { GRACE_SECONDS } from '@outreach/bot-detection';
import { Log } from '@outreach/logging';
import { type DuePoll, PollsDueWork } from '@outreach/job-queue';
import { allInRealTime, Database, type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { BotClassifier } from './bot-classifier.js';

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

  @PollsDueWork()
  dueWork(): DuePoll {
    return {
      keys: (workspaces) => this.dueWorkspaces(workspaces),
      found: async (keys) => {
        await this.classifyIn(keys.map((key) => key.workspace_id));
      },
      run: (keys) => this.classifyIn(keys.map((key) => key.workspace_id)),
    };
  }

  /** Classifies what is due now. */
  async classify(): Promise<void> {
    const times = [allInRealTime, this.database.workspacesAhead].filter((each) => each !== undefined);
    for (const workspaces of times) {
      const due = await this.database.query<{ workspace_id: number }>(this.dueWorkspaces(workspaces));
      await this.classifyIn(due.map((key) => key.workspace_id));
    }
  }

  private dueWorkspaces({ now, within }: WorkspacesInTime): Sql {
    return sql`SELECT DISTINCT workspace_id, workspace_id AS id FROM tracking_events
      WHERE classification = 'undecided'${within(sql`workspace_id`)}
        AND created_at <= ${now(sql`workspace_id`)} - make_interval(secs => ${GRACE_SECONDS})`;
  }

  /**
   * An error does not affect other workspaces. The events stay due, so the next run repeats them.
   * @returns in how many workspaces there was none
   */
  private async classifyIn(workspaceIds: readonly number[]): Promise<number> {
    let classified = 0;
    for (const id of workspaceIds) {
      try {
        await this.classifier.classify(await WorkspaceScope.open(id, this.database));
        classified += 1;
      } catch (error) {
        this.log.error('tracking events could not be classified', { error, workspace_id: id });
      }
    }
    return classified;
  }
}
