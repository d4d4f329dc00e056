import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring, SealBroken } from '../platform/crypto/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { SecretUnreadable } from './webhook.errors.js';

const PREFIX = 'whsec_';
const BYTES = 32;

/** Signing secrets: made here, stored sealed, shown when they are made and never again (API v1, "Webhook"). */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly keyring: Keyring) {}

  /** A new secret, as clients see it and as it is stored. */
  make(scope: WorkspaceScope): { readonly secret: string; readonly sealed: string } {
    const secret = PREFIX + randomBytes(BYTES).toString('base64');
    return { secret, sealed: this.keyring.seal(secret, contextOf(scope)) };
  }

  /** @throws SecretUnreadable */
  open(scope: WorkspaceScope, sealed: string): string {
    try {
      return this.keyring.open(sealed, contextOf(scope));
    } catch (error) {
      throw error instanceof SealBroken ? new SecretUnreadable() : error;
    }
  }
}

/** Opens the secret of one webhook, which is the same for many deliveries. */
export class OpenedSecret {
  private last: { readonly sealed: string; readonly secret: string } | undefined;

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly scope: WorkspaceScope,
  ) {}

  /** @throws SecretUnreadable */
  of(sealed: string): string {
    if (this.last?.sealed !== sealed) this.last = { sealed, secret: this.secrets.open(this.scope, sealed) };
    return this.last.secret;
  }
}

/** The bytes behind the prefix, for signatures of Standard Webhooks. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

const contextOf = (scope: WorkspaceScope): string => `webhook:secret:${scope.workspace_id}`;
