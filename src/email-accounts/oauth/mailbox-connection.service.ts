import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../platform/concurrency/index.js';
import { hashToken } from '../../platform/crypto/index.js';
import { LimitReached } from '../../platform/errors/index.js';
import { Log } from '../../platform/logging/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ProviderUnavailable } from '../login-failures.js';
import { CodeExchange, type ConnectedMailbox } from './code-exchange.js';
import type { ConnectMailboxDto } from './connect-mailbox.dto.js';
import { ConnectedAccounts } from './connected-accounts.js';
import type { ConnectionResult, FailureReason } from './connection-result.js';
import { ProviderNotConfigured, ProviderNotReachable } from './oauth.errors.js';
import type { OauthProvider } from './oauth-provider.js';
import { OauthSecrets } from './oauth-secrets.js';
import type { OauthState } from './oauth-state.entity.js';
import { type KnownState, OauthStates } from './oauth-states.cross-tenant.js';
import { insertState, isStateUsed, spendState } from './oauth-states.queries.js';
import { OpenidClients } from './openid-clients.js';

/** How many callbacks of a workspace wait for a provider at the same time in this process, and in line for that. */
const MAX_EXCHANGES_PER_WORKSPACE = 5;
const MAX_WAITING_PER_WORKSPACE = 20;

/** Where the owner of a mailbox gives access to it, and until when. */
export interface MailboxAuthorization {
  readonly authorization_url: string;
  readonly expires_at: Date;
}

/** Connects mailboxes: from the request for access to the account (API v1, "Connecting"). */
@Injectable()
export class MailboxConnection {
  private readonly exchanges = new FairQueue({
    concurrency: Number.POSITIVE_INFINITY,
    perKey: MAX_EXCHANGES_PER_WORKSPACE,
    waitingPerKey: MAX_WAITING_PER_WORKSPACE,
  });

  constructor(
    private readonly clients: OpenidClients,
    private readonly exchange: CodeExchange,
    private readonly states: OauthStates,
    private readonly secrets: OauthSecrets,
    private readonly accounts: ConnectedAccounts,
    private readonly log: Log,
  ) {}

  /** @throws ProviderNotConfigured, ProviderNotReachable */
  async start(scope: WorkspaceScope, provider: OauthProvider, dto: ConnectMailboxDto): Promise<MailboxAuthorization> {
    if (!this.clients.isConfigured(provider)) throw new ProviderNotConfigured(provider);
    const { url, state, code_verifier, nonce } = await this.exchange.begin(provider).catch((cause: unknown) => {
      throw cause instanceof ProviderUnavailable ? new ProviderNotReachable(provider, { cause }) : cause;
    });
    const { expires_at } = await insertState(scope, {
      state_hash: hashToken(state),
      provider,
      code_verifier_encrypted: this.secrets.encryptState('code_verifier', scope.workspace_id, code_verifier),
      nonce_encrypted: this.secrets.encryptState('nonce', scope.workspace_id, nonce),
      name: dto.name,
      from_name: dto.from_name ?? null,
      daily_limit: dto.daily_limit,
      redirect_to: dto.redirect_to ?? null,
    });
    return { authorization_url: url, expires_at };
  }

  /**
   * Ends what {@link start} has begun, with what the provider has sent by the browser.
   * @throws Busy if too many callbacks of the workspace wait for the provider; the state remains good
   */
  async finish(provider: OauthProvider, parameters: URLSearchParams): Promise<ConnectionResult> {
    const known = await this.states.find(provider, parameters.get('state') ?? '');
    if (!known) return { kind: 'unknown' };
    return this.exchanges.run(known.scope.workspace_id, async () => {
      const ended = await this.finishKnown(known, parameters);
      return typeof ended === 'number'
        ? { kind: 'connected', email_account_id: ended, redirect_to: known.redirect_to }
        : { kind: 'failed', reason: ended, redirect_to: known.redirect_to };
    });
  }

  /** @returns the ID of the account, or why there is none */
  private async finishKnown({ scope, id }: KnownState, parameters: URLSearchParams): Promise<number | FailureReason> {
    const state = await spendState(scope, id);
    if (!state) return (await isStateUsed(scope, id)) ? 'used' : 'expired';
    const error = parameters.get('error');
    if (error !== null) return error === 'access_denied' ? 'denied' : 'provider_error';
    const mailbox = await this.exchangeCode(scope, state, parameters);
    if (!mailbox?.identity) return 'provider_error';
    const { identity, tokens } = mailbox;
    const { refresh_token } = tokens;
    if (refresh_token === undefined) return 'no_refresh_token';
    const granted = { provider: state.provider, identity, tokens: { ...tokens, refresh_token }, input: state };
    return this.accounts.connect(scope, granted).catch((failure: unknown) => {
      if (failure instanceof LimitReached) return 'limit_reached' as const;
      throw failure;
    });
  }

  /** @returns undefined, after the log, if the provider refuses the code, or its response is not valid */
  private async exchangeCode(
    scope: WorkspaceScope,
    state: OauthState,
    parameters: URLSearchParams,
  ): Promise<ConnectedMailbox | undefined> {
    const { workspace_id: workspaceId } = scope;
    const code = {
      parameters,
      code_verifier: this.secrets.decryptState('code_verifier', workspaceId, state.code_verifier_encrypted),
      nonce: this.secrets.decryptState('nonce', workspaceId, state.nonce_encrypted),
    };
    try {
      return await this.exchange.end(state.provider, code);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.warn('a mailbox was not connected', { workspace_id: workspaceId, provider: state.provider, message });
      return undefined;
    }
  }
}
