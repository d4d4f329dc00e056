import { newSecret } from '@outreach/webhook-delivery';
import { Injectable } from '@nestjs/common';
import { DecryptionFailed } from '@outreach/keyring';
import { Keyring, type EncryptedColumn } from '../platform/crypto/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { SecretUnreadable } from './webhook.errors.js';

/** Creates, encrypts and decrypts signing secrets. The API returns a secret only when it is created (API v1, "Webhook"). */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly keyring: Keyring) {}

  /** Returns a new secret, as the API shows it and as it is stored. */
  create(scope: WorkspaceScope): { readonly secret: string; readonly encrypted: string } {
    const secret = newSecret();
    return { secret, encrypted: this.keyring.encrypt(secret, contextOf(scope)) };
  }

  /** @throws SecretUnreadable */
  decrypt(scope: WorkspaceScope, encrypted: string): string {
    try {
      return this.keyring.decrypt(encrypted, contextOf(scope));
    } catch (error) {
      throw error instanceof DecryptionFailed ? new SecretUnreadable() : error;
    }
  }
}

/** Decrypts the secret of one webhook once for many deliveries. */
export class DecryptedSecret {
  private last: { readonly encrypted: string; readonly secret: string } | undefined;

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly scope: WorkspaceScope,
  ) {}

  /** @throws SecretUnreadable */
  of(encrypted: string): string {
    if (this.last?.encrypted !== encrypted)
      this.last = { encrypted, secret: this.secrets.decrypt(this.scope, encrypted) };
    return this.last.secret;
  }
}

const contextOf = ({ workspace_id: workspaceId }: Readonly<Record<'workspace_id', unknown>>): string =>
  `webhook:secret:${String(workspaceId)}`;

/** The encrypted column of signing secrets. */
export const ENCRYPTED_SECRETS: EncryptedColumn = {
  table: 'webhooks',
  column: 'secret',
  primary_key: ['workspace_id', 'id'],
  meaning: 'secrets of webhooks',
  contextOf: ({ workspace_id }) => contextOf({ workspace_id }),
};
