import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { OauthState } from './oauth-state.entity.js';

/** So long a person may take to agree and to decide at the provider. */
export const STATE_MINUTES = 10;
/** A workspace has at most so many requests to connect a mailbox; the oldest ones are deleted first. */
const MAX_STATES = 1_000;

/** The values of a new state. */
export type NewState = Pick<
  OauthState,
  | 'state_hash'
  | 'provider'
  | 'code_verifier_encrypted'
  | 'nonce_encrypted'
  | 'name'
  | 'from_name'
  | 'daily_limit'
  | 'redirect_to'
>;

/** Stores a state that is good for ten minutes. */
export function insertState(scope: WorkspaceScope, state: NewState): Promise<OauthState> {
  return scope.transaction(async (tx) => {
    const expiry = sql`${tx.now} + make_interval(mins => ${STATE_MINUTES})`;
    const stored = await tx.of(OauthState).insert({ ...state, expires_at: expiry });
    await tx.execute(
      sql`DELETE FROM oauth_states WHERE workspace_id = ${tx} AND id <= (
            SELECT id FROM oauth_states WHERE workspace_id = ${tx} ORDER BY id DESC OFFSET ${MAX_STATES} LIMIT 1)`,
    );
    return stored;
  });
}

/** Whether a state can still be used, or why not. */
export type StateStatus = 'good' | 'used' | 'expired';

export async function findStateStatus(scope: WorkspaceScope, id: number): Promise<StateStatus> {
  const [state] = await scope.query<{ status: StateStatus }>(
    sql`SELECT CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at > ${scope.now} THEN 'good' ELSE 'expired' END
          AS status
        FROM oauth_states WHERE workspace_id = ${scope} AND id = ${id}`,
  );
  return state?.status ?? 'expired';
}

/**
 * Binds a state to the browser in which a person has agreed. The last one counts.
 * @returns undefined if the state was used before, or has expired
 */
export async function bindState(
  scope: WorkspaceScope,
  id: number,
  browserHash: string,
): Promise<OauthState | undefined> {
  const bound = await scope.execute(
    sql`UPDATE oauth_states SET browser_hash = ${browserHash}, updated_at = ${scope.now}
        WHERE workspace_id = ${scope} AND id = ${id} AND used_at IS NULL AND expires_at > ${scope.now}`,
  );
  return bound > 0 ? scope.of(OauthState).get(id) : undefined;
}

/** Uses a state up. @returns undefined if it is bound to another browser or to none, was used before, or has expired */
export async function spendState(
  scope: WorkspaceScope,
  id: number,
  browserHash: string,
): Promise<OauthState | undefined> {
  const used = await scope.execute(
    sql`UPDATE oauth_states SET used_at = ${scope.now}, updated_at = ${scope.now}
        WHERE workspace_id = ${scope} AND id = ${id} AND browser_hash = ${browserHash}
          AND used_at IS NULL AND expires_at > ${scope.now}`,
  );
  return used > 0 ? scope.of(OauthState).get(id) : undefined;
}
