import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { dkimSigner, MimeEncoder } from '@outreach/mail-writing';
import { BackgroundSteps } from '@outreach/concurrency';
import { type MailboxCredentials, PROVIDERS, SmtpSessions } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SimulatedMailServer } from '../simulation/index.js';
import { IdleTransports } from './idle-transports.js';
import { ServerExperience } from './server-experience.js';
import type { OpeningOptions, Transport } from './transport.js';

/**
 * A pool of transports. Idle ones stay open for some seconds, so that a slow campaign does not log in for every
 * message.
 */
@Injectable()
export class Transports implements BeforeApplicationShutdown {
  private readonly idle = new IdleTransports();

  constructor(
    private readonly sessions: SmtpSessions,
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
    const signer = credentials.dkim && dkimSigner(credentials.dkim);
    const session = await this.sessions.connect(scope, credentials, opening);
    return {
      get isOpen() {
        return session.isOpen;
      },
      hasSession: session.hasSession,
      send: (mail, options) =>
        session.send({
          ...{ mail, ...options },
          encode: () => this.mime.encode(scope.workspace_id, mail, signer),
          nextPart: () => this.steps.run(scope.workspace_id, () => undefined),
        }),
      close: () => session.close(),
    };
  }

  /** No mail leaves a sandbox, whatever the provider of the account is. */
  private simulation(scope: WorkspaceScope, credentials: MailboxCredentials): Transport {
    const event_provider = PROVIDERS[credentials.type].events ? credentials.type : null;
    const signer = credentials.dkim && dkimSigner(credentials.dkim);
    const closing = new AbortController();
    return {
      get isOpen() {
        return !closing.signal.aborted;
      },
      hasSession: true,
      send: (mail, { mayContinue }) =>
        this.simulated.receive(scope, {
          ...{ mail, event_provider, mayContinue },
          encode: (dated) => this.mime.encode(scope.workspace_id, dated, signer),
          closed: closing.signal,
        }),
      close: () => closing.abort(),
    };
  }
}
