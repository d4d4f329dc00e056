import { Injectable } from '@nestjs/common';
import { Scheduled } from '@outreach/job-queue';
import { Database, sql } from '../../platform/database/index.js';
import { SANDBOX_MESSAGE_DAYS } from '../../sending/index.js';

const HOUR_SECONDS = 3_600;

/** Deletes the old messages of sandboxes into which no new ones come. */
@Injectable()
export class OldSandboxMessages {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
  }

  @Scheduled('delete-old-sandbox-messages', HOUR_SECONDS)
  async delete(): Promise<void> {
    await this.database.execute(
      sql`DELETE FROM sandbox_messages message USING workspaces workspace
          WHERE workspace.is_sandbox AND message.workspace_id = workspace.id
            AND message.created_at <= ${this.database.nowOf(sql`workspace.id`)} - make_interval(days => ${SANDBOX_MESSAGE_DAYS})`,
    );
  }
}
