import { Injectable } from '@nestjs/common';
import { DecryptionFailed } from '@outreach/keyring';
import { type EncryptedColumn as DeclaredColumn, type EncryptedRow, Keyring } from '../../platform/crypto/index.js';
import { CredentialsUnusable } from '../email-account.errors.js';

type TokenColumn = 'refresh_token' | 'access_token';
type StateColumn = 'code_verifier' | 'nonce';

/** To which account a token belongs. */
export interface GrantId {
  readonly workspace_id: number;
  readonly email_account_id: number;
}

/** Encrypts the tokens of accounts, and the secrets of requests to connect one. */
@Injectable()
export class OauthSecrets {
  constructor(private readonly keyring: Keyring) {}

  encryptToken(column: TokenColumn, id: GrantId, token: string): string {
    return this.keyring.encrypt(token, tokenContext(column, id));
  }

  /** @throws CredentialsUnusable if no configured key can decrypt it */
  decryptToken(column: TokenColumn, id: GrantId, encrypted: string): string {
    try {
      return this.keyring.decrypt(encrypted, tokenContext(column, id));
    } catch (cause) {
      if (!(cause instanceof DecryptionFailed)) throw cause;
      throw new CredentialsUnusable('The stored tokens cannot be decrypted: connect the mailbox again.', { cause });
    }
  }

  encryptState(column: StateColumn, workspaceId: number, secret: string): string {
    return this.keyring.encrypt(secret, stateContext(column, workspaceId));
  }

  /** @throws DecryptionFailed */
  decryptState(column: StateColumn, workspaceId: number, encrypted: string): string {
    return this.keyring.decrypt(encrypted, stateContext(column, workspaceId));
  }
}

/** A token can only be decrypted for its account and from its column. */
const tokenContext = (column: TokenColumn, row: GrantId | EncryptedRow): string =>
  `oauth_grant:${column}:${String(row.workspace_id)}:${String(row.email_account_id)}`;

/** The secrets of a state can only be decrypted in its workspace and from their columns. */
const stateContext = (column: StateColumn, workspaceId: unknown): string =>
  `oauth_state:${column}:${String(workspaceId)}`;

const ofGrants = (column: TokenColumn, meaning: string): DeclaredColumn => ({
  table: 'oauth_grants',
  column: `${column}_encrypted`,
  primary_key: ['workspace_id', 'email_account_id'],
  meaning,
  contextOf: (row) => tokenContext(column, row),
});

const ofStates = (column: StateColumn, meaning: string): DeclaredColumn => ({
  table: 'oauth_states',
  column: `${column}_encrypted`,
  primary_key: ['workspace_id', 'id'],
  meaning,
  contextOf: ({ workspace_id: workspaceId }) => stateContext(column, workspaceId),
});

/** The encrypted columns of mailboxes that are connected by OAuth, and of requests to connect one. */
export const ENCRYPTED_OAUTH: readonly DeclaredColumn[] = [
  ofGrants('refresh_token', 'refresh tokens of Google and Microsoft accounts'),
  ofGrants('access_token', 'access tokens of Google and Microsoft accounts'),
  ofStates('code_verifier', 'PKCE secrets of mailboxes that are being connected'),
  ofStates('nonce', 'nonces of mailboxes that are being connected'),
];
