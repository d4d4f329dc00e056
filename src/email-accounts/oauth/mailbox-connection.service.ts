import { Injectable } from '@nestjs/common';
import { FairQueue } from '@outreach/concurrency';
import { ProviderUnavailable } from '@outreach/mail-sessions';
import { type Authorization, newAuthorization } from '@outreach/oauth-clients';
import { Log } from '@outreach/logging';
import { hashToken } from '@outreach/keyring';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';
import { LimitReached } from '../../platform/errors/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CodeExchange, type ConnectedMailbox } from './code-exchange.js';
import type { ConnectMailboxDto } from './connect-mailbox.dto.js';
import { ConnectedAccounts } from './connected-accounts.js';
import type { AgreedConnection, ConnectionQuestion, ConnectionResult, FailureReason } from './connection-result.js';
import { ProviderNotConfigured, ProviderNotReachable } from './oauth.errors.js';
import type { OauthProvider } from '../providers/provider-names.js';
import { OauthSecrets } from './oauth-secrets.js';
import type { OauthState } from './oauth-state.entity.js';
import { type KnownState, OauthStates } from './oauth-states.cross-tenant.js';
import { bindState, findStateStatus, insertState, spendState } from './oauth-states.queries.js';
import { OpenidClients } from './openid-clients.js';

/** Where the owner of a mailbox gives access to it, and until when. */
export interface MailboxAuthorization {
  readonly authorization_url: string;
  readonly expires_at: Date;
}

/**
 * Connects mailboxes: from the request for access to the account (API v1, "Connecting"). Between them, a person sees which
 * workspace gets the access, and agrees; the state is then bound to the browser of that person, so that no person can
 * be led through the provider by a link of another one.
 */
@Injectable()
export class MailboxConnection {
  private readonly exchanges = new FairQueue(FAIR_QUEUES.codeExchanges);

  constructor(
    private readonly clients: OpenidClients,
    private readonly exchange: CodeExchange,
    private readonly states: OauthStates,
    private readonly secrets: OauthSecrets,
    private readonly accounts: ConnectedAccounts,
    private readonly log: Log,
  ) {}

  /**
   * Begins a connection. The URL is that of the page that asks a person.
   * @throws ProviderNotConfigured, ProviderNotReachable
   */
  async start(scope: WorkspaceScope, provider: OauthProvider, dto: ConnectMailboxDto): Promise<MailboxAuthorization> {
    if (!this.clients.isConfigured(provider)) throw new ProviderNotConfigured(provider);
    const authorization = newAuthorization();
    const { state, code_verifier, nonce } = authorization;
    const authorization_url = await this.exchange.pageUrl(provider, authorization).catch(notReachable(provider));
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
    return { authorization_url, expires_at };
  }

  /** Returns what a person is asked before the provider, or why there is no question. */
  async ask(state: string): Promise<ConnectionQuestion | ConnectionResult> {
    const known = await this.states.find(state);
    if (!known) return { kind: 'unknown' };
    const { scope, id, provider, workspace_name, redirect_to } = known;
    const status = await findStateStatus(scope, id);
    if (status !== 'good') return { kind: 'failed', reason: status, redirect_to };
    return { kind: 'question', provider, workspace_name };
  }

  /**
   * A person agrees to what {@link ask} has returned.
   * @param browser the secret of the cookie of the browser; undefined if it has none
   * @throws ProviderNotReachable
   */
  async agree(state: string, browser: string | undefined): Promise<AgreedConnection | ConnectionResult> {
    const known = await this.states.find(state);
    if (!known) return { kind: 'unknown' };
    const { scope, id, provider, redirect_to } = known;
    const bound = browser === undefined ? undefined : await bindState(scope, id, hashToken(browser));
    if (!bound) return { kind: 'failed', reason: await this.failureOf(known), redirect_to };
    const authorization = { state, ...this.secretsOf(scope, bound) };
    const url = await this.exchange.authorizationUrl(provider, authorization).catch(notReachable(provider));
    return { kind: 'agreed', authorization_url: url.href };
  }

  /**
   * Ends what {@link start} has begun, with what the provider has sent by the browser.
   * @param browser as for {@link agree}. Another browser leaves the state as it is
   * @throws Busy if too many callbacks of the workspace wait for the provider; the state remains good
   */
  async finish(
    provider: OauthProvider,
    parameters: URLSearchParams,
    browser: string | undefined,
  ): Promise<ConnectionResult> {
    const known = await this.states.find(parameters.get('state') ?? '');
    if (known?.provider !== provider) return { kind: 'unknown' };
    return this.exchanges.run(known.scope.workspace_id, async () => {
      const ended = await this.finishKnown(known, parameters, browser);
      return typeof ended === 'number'
        ? { kind: 'connected', email_account_id: ended, redirect_to: known.redirect_to }
        : { kind: 'failed', reason: ended, redirect_to: known.redirect_to };
    });
  }

  /** @returns the ID of the account, or why there is none */
  private async finishKnown(
    known: KnownState,
    parameters: URLSearchParams,
    browser: string | undefined,
  ): Promise<number | FailureReason> {
    const { scope, id } = known;
    const state = browser === undefined ? undefined : await spendState(scope, id, hashToken(browser));
    if (!state) return this.failureOf(known);
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
    const code = { parameters, ...this.secretsOf(scope, state) };
    try {
      return await this.exchange.end(state.provider, code);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.warn('a mailbox was not connected', {
        workspace_id: scope.workspace_id,
        provider: state.provider,
        message,
      });
      return undefined;
    }
  }

  /** Why a state cannot be used by a browser. */
  private async failureOf({ scope, id }: KnownState): Promise<FailureReason> {
    const status = await findStateStatus(scope, id);
    return status === 'good' ? 'other_browser' : status;
  }

  private secretsOf({ workspace_id: workspaceId }: WorkspaceScope, state: OauthState): Omit<Authorization, 'state'> {
    return {
      code_verifier: this.secrets.decryptState('code_verifier', workspaceId, state.code_verifier_encrypted),
      nonce: this.secrets.decryptState('nonce', workspaceId, state.nonce_encrypted),
    };
  }
}

const notReachable =
  (provider: OauthProvider) =>
  (cause: unknown): never => {
    throw cause instanceof ProviderUnavailable ? new ProviderNotReachable(provider, { cause }) : cause;
  };
