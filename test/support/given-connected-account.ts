import { OauthSecrets } from '../../src/email-accounts/oauth/oauth-secrets.js';
import type { ApiClient } from './api-client.js';
import type { Schema } from './api-schemas.js';
import type { TestService } from './service.js';

/** A mailbox that its owner has connected, and its tokens. */
export interface ConnectedAccount {
  readonly provider?: 'google' | 'microsoft';
  readonly address?: string;
  readonly access_token?: string;
  readonly refresh_token?: string;
  /** How long the access token is still valid; default 3,600. */
  readonly seconds?: number;
}

/**
 * Inserts an account of Google or Microsoft with these tokens, as if it had been connected by OAuth. The service needs
 * `GOOGLE_MAIL_HOSTS` or `MICROSOFT_MAIL_HOSTS` to send from it; to refresh its tokens, the issuer, client ID and secret
 * of an `OpenidProvider`.
 */
export async function givenConnectedAccount(
  service: Pick<TestService, 'database' | 'app'>,
  api: ApiClient,
  account: ConnectedAccount = {},
): Promise<Schema<'EmailAccount'>> {
  const { provider = 'google', address = 'anna@mail.example', seconds = 3600 } = account;
  const { workspaceId } = api;
  const [row] = await service.database.query<{ id: string }>(
    `INSERT INTO email_accounts (workspace_id, name, type, from_email, from_name, is_default)
     SELECT $1::bigint, 'Mailbox', $2, $3, 'Anna', NOT EXISTS (SELECT 1 FROM email_accounts WHERE workspace_id = $1::bigint)
     RETURNING id`,
    [workspaceId, provider, address],
  );
  const id = { workspace_id: workspaceId, email_account_id: Number(row?.id) };
  const secrets = service.app.get(OauthSecrets);
  await service.database.query(
    `INSERT INTO oauth_grants (workspace_id, email_account_id, provider, address, refresh_token_encrypted,
       access_token_encrypted, access_token_expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
    [
      id.workspace_id,
      id.email_account_id,
      provider,
      address,
      secrets.encryptToken('refresh_token', id, account.refresh_token ?? 'refresh-token'),
      secrets.encryptToken('access_token', id, account.access_token ?? 'access-token'),
      seconds,
    ],
  );
  return (await api.get(`/email-accounts/${id.email_account_id}`)).data;
}
