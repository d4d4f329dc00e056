import { Injectable } from '@nestjs/common';
import { Scheduled } from '@outreach/job-queue';
import { hashToken } from '@outreach/keyring';
import { Database, sql } from '../../platform/database/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { OauthProvider } from '../providers/provider-names.js';

/** For so long a state is known: a browser that returns later than ten minutes still gets to its application. */
const RETENTION_DAYS = 7;
const HOUR_SECONDS = 3_600;
const BATCH_SIZE = 1_000;

/** A request to connect a mailbox, in its workspace. */
export interface KnownState {
  readonly scope: WorkspaceScope;
  readonly id: number;
  readonly provider: OauthProvider;
  readonly redirect_to: string | null;
  readonly workspace_name: string;
}

/** The states of all workspaces: the browser that returns from a provider has no token of a workspace. */
@Injectable()
export class OauthStates {
  constructor(private readonly database: Database) {}

  /** @returns undefined if the state is not known, or its workspace is being deleted */
  async find(state: string): Promise<KnownState | undefined> {
    const [row] = await this.database.query<Omit<KnownState, 'scope'> & { workspace_id: number }>(
      sql`SELECT state.workspace_id, state.id, state.provider, state.redirect_to, workspace.name AS workspace_name
          FROM oauth_states state
          JOIN workspaces workspace ON workspace.id = state.workspace_id AND workspace.deletion_started_at IS NULL
          WHERE state.state_hash = ${hashToken(state)}`,
    );
    if (!row) return undefined;
    const { workspace_id: workspaceId, ...known } = row;
    return { ...known, scope: await WorkspaceScope.open(workspaceId, this.database) };
  }

  @Scheduled('delete-expired-oauth-states', HOUR_SECONDS)
  async deleteExpired(): Promise<void> {
    const database = this.database.withoutTimeLimits();
    const now = database.nowOf(sql`state.workspace_id`);
    let deleted = BATCH_SIZE;
    while (deleted === BATCH_SIZE) {
      deleted = await database.execute(
        sql`DELETE FROM oauth_states WHERE (workspace_id, id) IN (
              SELECT state.workspace_id, state.id FROM oauth_states state
              WHERE state.expires_at < ${now} - make_interval(days => ${RETENTION_DAYS}) LIMIT ${BATCH_SIZE})`,
      );
    }
  }
}
