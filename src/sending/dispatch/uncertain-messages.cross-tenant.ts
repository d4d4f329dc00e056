import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { type JobKey, workspaceRotation } from '../../platform/queue/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CHECKING_SENT_MAIL } from '../rules/index.js';

/** The uncertain messages of all workspaces. */
@Injectable()
export class UncertainMessages {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
  }

  /**
   * Returns accounts whose sent mail has to be searched now; the workspaces take turns. Reads the list of claims, like the
   * recovery.
   */
  dueAccounts(): Promise<readonly JobKey[]> {
    return this.database.query<JobKey & Record<string, unknown>>(
      sql`SELECT due.workspace_id, due.id FROM (
            SELECT DISTINCT message.workspace_id, message.email_account_id AS id FROM message_claims claim
            CROSS JOIN unnest(claim.message_ids) AS listed (id)
            JOIN queued_messages message ON message.workspace_id = claim.workspace_id AND message.id = listed.id
            WHERE message.status = 'sending' AND message.reason = ${CHECKING_SENT_MAIL}
              AND message.next_attempt_at <= ${sql.realNow} AND message.email_account_id IS NOT NULL) due
          ${workspaceRotation(sql`due.workspace_id`)}`,
    );
  }

  open(workspaceId: number): Promise<WorkspaceScope> {
    return WorkspaceScope.open(workspaceId, this.database);
  }
}
