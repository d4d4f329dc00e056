import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { OauthGrant } from './oauth-grant.entity.js';
import type { OauthProvider } from '../providers/provider-names.js';

/** An access token is refreshed so many seconds before it expires (API v1, "Sending"). */
const REFRESH_AHEAD_SECONDS = 300;
/** While another process refreshes it, an access token is used until so many seconds before it expires. */
const MIN_USABLE_SECONDS = 30;
/** Longer than the one request to the provider that is made during the lease may take, which is ten seconds. */
const LEASE_SECONDS = 15;

/** The tokens of an account as they are stored. */
export type StoredGrant = Pick<
  OauthGrant,
  'email_account_id' | 'provider' | 'refresh_token_encrypted' | 'access_token_encrypted' | 'generation'
> & {
  /** The access token needs no refresh. */
  readonly is_fresh: boolean;
  /** The access token can be used while it is refreshed. */
  readonly is_usable: boolean;
};

/** Returns the tokens of an account, or undefined if it is not connected. */
export async function findGrant(scope: WorkspaceScope, accountId: number): Promise<StoredGrant | undefined> {
  const [grant] = await scope.query<StoredGrant>(
    sql`SELECT email_account_id, provider, refresh_token_encrypted, access_token_encrypted, generation,
          access_token_expires_at > ${sql.realNow} + make_interval(secs => ${REFRESH_AHEAD_SECONDS}) AS is_fresh,
          access_token_expires_at > ${sql.realNow} + make_interval(secs => ${MIN_USABLE_SECONDS}) AS is_usable
        FROM oauth_grants WHERE workspace_id = ${scope} AND email_account_id = ${accountId}`,
  );
  return grant;
}

/** What is needed to revoke an access. */
export type RevocableGrant = Pick<OauthGrant, 'email_account_id' | 'provider' | 'refresh_token_encrypted'>;

/** Returns the refresh tokens of the next accounts of a workspace, in the order of their IDs. */
export const findGrantsAfter = (scope: WorkspaceScope, accountId: number, count: number): Promise<RevocableGrant[]> =>
  scope.query<RevocableGrant & Record<string, unknown>>(
    sql`SELECT email_account_id, provider, refresh_token_encrypted FROM oauth_grants
        WHERE workspace_id = ${scope} AND email_account_id > ${accountId} ORDER BY email_account_id LIMIT ${count}`,
  );

/** A refresh of the tokens of one account, which no other process begins before its lease has expired. */
export interface RefreshLease {
  readonly id: string;
  readonly email_account_id: number;
  /** The tokens that are refreshed. */
  readonly generation: number;
}

/** @returns false if the tokens have changed, or another refresh is in progress */
export async function leaseRefresh(scope: WorkspaceScope, lease: RefreshLease): Promise<boolean> {
  const leased = await scope.execute(
    sql`UPDATE oauth_grants SET refresh_leased_by = ${lease.id},
          refresh_lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS})
        WHERE workspace_id = ${scope} AND email_account_id = ${lease.email_account_id}
          AND generation = ${lease.generation}
          AND (refresh_lease_until IS NULL OR refresh_lease_until <= ${sql.realNow})`,
  );
  return leased > 0;
}

/** Lets any process refresh the tokens. */
export async function releaseRefresh(scope: WorkspaceScope, lease: RefreshLease): Promise<void> {
  await scope.execute(
    sql`UPDATE oauth_grants SET refresh_leased_by = NULL, refresh_lease_until = NULL
        WHERE workspace_id = ${scope} AND email_account_id = ${lease.email_account_id}
          AND refresh_leased_by = ${lease.id}`,
  );
}

/** Tokens as they are written. */
export interface EncryptedTokens {
  /** undefined if the provider has not replaced it. */
  readonly refresh_token_encrypted: string | undefined;
  readonly access_token_encrypted: string;
  /** How long the access token is valid. */
  readonly seconds: number;
}

/**
 * Stores the result of a refresh, also after the lease has expired: what the provider sent last is what it accepts.
 * @returns false if the tokens have changed meanwhile
 */
export async function storeRefreshed(
  scope: WorkspaceScope,
  lease: RefreshLease,
  tokens: EncryptedTokens,
): Promise<boolean> {
  const stored = await scope.execute(
    sql`UPDATE oauth_grants SET access_token_encrypted = ${tokens.access_token_encrypted},
          access_token_expires_at = ${sql.realNow} + make_interval(secs => ${tokens.seconds}),
          refresh_token_encrypted = coalesce(${tokens.refresh_token_encrypted ?? null}::text, refresh_token_encrypted),
          generation = generation + 1, refresh_leased_by = NULL, refresh_lease_until = NULL
        WHERE workspace_id = ${scope} AND email_account_id = ${lease.email_account_id}
          AND generation = ${lease.generation}`,
  );
  return stored > 0;
}

/** Locks the tokens until the transaction ends. @returns false if they have changed */
export async function lockGeneration(scope: WorkspaceScope, lease: RefreshLease): Promise<boolean> {
  const rows = await scope.query(
    sql`SELECT 1 FROM oauth_grants WHERE workspace_id = ${scope} AND email_account_id = ${lease.email_account_id}
          AND generation = ${lease.generation} FOR UPDATE`,
  );
  return rows.length > 0;
}

/** Returns the account of an address that the workspace has connected with a provider, or undefined. */
export async function findConnected(
  scope: WorkspaceScope,
  provider: OauthProvider,
  address: string,
): Promise<number | undefined> {
  const [account] = await scope.query<{ id: number }>(
    sql`SELECT account.id FROM email_accounts account
        LEFT JOIN oauth_grants stored ON stored.workspace_id = ${scope} AND stored.email_account_id = account.id
        WHERE account.workspace_id = ${scope} AND account.type = ${provider}
          AND coalesce(stored.address, lower(account.from_email)) = ${address}
        ORDER BY stored.address IS NULL, account.id LIMIT 1`,
  );
  return account?.id;
}

/** The tokens of a mailbox that was connected. */
export type NewGrant = EncryptedTokens &
  Pick<OauthGrant, 'email_account_id' | 'provider' | 'address' | 'refresh_token_encrypted'>;

/** Stores the tokens of a mailbox that was connected, for the first time or again. A refresh in progress is discarded. */
export async function storeGrant(scope: WorkspaceScope, grant: NewGrant): Promise<void> {
  const expiry = sql`${sql.realNow} + make_interval(secs => ${grant.seconds})`;
  await scope.execute(
    sql`INSERT INTO oauth_grants AS stored (workspace_id, email_account_id, provider, address, refresh_token_encrypted,
          access_token_encrypted, access_token_expires_at, connected_at)
        VALUES (${scope}, ${grant.email_account_id}, ${grant.provider}, ${grant.address},
          ${grant.refresh_token_encrypted}, ${grant.access_token_encrypted}, ${expiry}, ${scope.now})
        ON CONFLICT (workspace_id, email_account_id) DO UPDATE
        SET refresh_token_encrypted = excluded.refresh_token_encrypted,
          access_token_encrypted = excluded.access_token_encrypted,
          access_token_expires_at = excluded.access_token_expires_at, generation = stored.generation + 1,
          refresh_leased_by = NULL, refresh_lease_until = NULL`,
  );
}
