import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import {
  type EmailAccountsConfig,
  type ComposedMail,
  type MailboxCredentials,
  sendThroughSendgrid,
  SmtpSessions,
} from '../../email-accounts/index.js';
import { BackgroundSteps } from '../../platform/concurrency/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { dkimSigner, MimeEncoder } from '../composing/index.js';
import { SimulatedMailServer } from '../simulation/index.js';
import { IdleTransports } from './idle-transports.js';
import { ServerExperience } from './server-experience.js';
import type { OpeningOptions, SendOptions, Transport } from './transport.js';

/**
 * A pool of transports. Idle ones stay open for some seconds, so that a slow campaign does not log in for every
 * message.
 */
@Injectable()
export class Transports implements BeforeApplicationShutdown {
  private readonly idle = new IdleTransports();

  constructor(
    private readonly smtpSessions: SmtpSessions,
    @Inject(CONFIG) private readonly config: EmailAccountsConfig,
    private readonly mime: MimeEncoder,
    private readonly steps: BackgroundSteps,
    private readonly simulated: SimulatedMailServer,
    readonly servers: ServerExperience,
  ) {}

  /**
   * Returns an open transport with these credentials, which only this workspace uses. A server may take minutes for it.
   * @throws LoginRefused, ProviderUnavailable
   */
  async acquire(
    scope: WorkspaceScope,
    credentials: MailboxCredentials,
    opening: OpeningOptions = {},
  ): Promise<Transport> {
    return this.idle.take(scope, credentials) ?? this.open(scope, credentials, opening);
  }

  /** Returns a transport to the pool. */
  release(scope: WorkspaceScope, credentials: MailboxCredentials, transport: Transport): void {
    if (transport.isOpen) this.idle.add(scope, credentials, transport);
  }

  /** Closes the transports of these credentials that are not in use: another worker may need the places at the server. */
  closeIdle(scope: WorkspaceScope, credentials: MailboxCredentials): void {
    this.idle.closeOf(scope, credentials);
  }

  beforeApplicationShutdown(): void {
    this.idle.clear();
  }

  private async open(
    scope: WorkspaceScope,
    credentials: MailboxCredentials,
    opening: OpeningOptions,
  ): Promise<Transport> {
    if (await scope.isSandbox()) return this.simulation(scope, credentials);
    switch (credentials.type) {
      case 'smtp':
      case 'google':
      case 'microsoft': {
        const signer = credentials.dkim && dkimSigner(credentials.dkim);
        const session = await this.smtpSessions.open(scope, credentials, opening);
        return {
          get isOpen() {
            return session.isOpen;
          },
          hasSession: true,
          send: (mail, { mayContinue, isRepeated }) =>
            session.send({ from: mail.from.email, to: mail.to }, () => this.mime.encode(scope, mail, signer), {
              mayContinue,
              nextPart: () => this.steps.run(scope.workspace_id, () => undefined),
              finalDotDelayMs: isRepeated ? FINAL_DOT_DELAY_MS : 0,
            }),
          close: () => session.close(),
        };
      }
      case 'sendgrid':
        return this.sendgrid(credentials.api_key);
      default:
        return credentials satisfies never;
    }
  }

  /** No mail leaves a sandbox, whatever the provider of the account is. */
  private simulation(scope: WorkspaceScope, credentials: MailboxCredentials): Transport {
    const is_sendgrid = credentials.type === 'sendgrid';
    const signer = credentials.type !== 'sendgrid' && credentials.dkim ? dkimSigner(credentials.dkim) : undefined;
    const closing = new AbortController();
    return {
      get isOpen() {
        return !closing.signal.aborted;
      },
      hasSession: true,
      send: (mail, { mayContinue }) =>
        this.simulated.receive(scope, {
          ...{ mail, is_sendgrid, mayContinue },
          encode: (dated) => this.mime.encode(scope, dated, signer),
          closed: closing.signal,
        }),
      close: () => closing.abort(),
    };
  }

  /** HTTP has no session; Node reuses the connections. */
  private sendgrid(apiKey: string): Transport {
    const api = { base_url: this.config.sendgrid_base_url, api_key: apiKey };
    return {
      isOpen: true,
      hasSession: false,
      send: async (mail: ComposedMail, { mayContinue }: SendOptions) =>
        (await mayContinue()) ? sendThroughSendgrid(api, mail) : { kind: 'aborted' },
      close: () => undefined,
    };
  }
}

/** Longer than most servers need to close a connection and most networks to show it. */
const FINAL_DOT_DELAY_MS = 1_000;
