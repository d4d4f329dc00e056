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
import type { SendOptions, Transport } from './transport.js';

/**
 * A pool of transports. Idle ones stay open for some seconds, so that a slow campaign does not log in for every
 * message.
 */
@Injectable()
export class Transports implements BeforeApplicationShutdown {
  private readonly idle = new Map<string, Idle[]>();

  constructor(
    private readonly smtpSessions: SmtpSessions,
    @Inject(CONFIG) private readonly config: EmailAccountsConfig,
    private readonly mime: MimeEncoder,
    private readonly steps: BackgroundSteps,
    private readonly simulated: SimulatedMailServer,
  ) {}

  /**
   * Returns an open transport with these credentials, which only this workspace uses.
   * @throws LoginRefused, ProviderUnavailable
   */
  async acquire(scope: WorkspaceScope, credentials: MailboxCredentials): Promise<Transport> {
    const idle = this.idle.get(keyOf(scope, credentials)) ?? [];
    for (let entry = idle.pop(); entry; entry = idle.pop()) {
      clearTimeout(entry.timer);
      if (entry.transport.isOpen) return entry.transport;
    }
    return this.open(scope, credentials);
  }

  /** Returns a transport to the pool. */
  release(scope: WorkspaceScope, credentials: MailboxCredentials, transport: Transport): void {
    if (!transport.isOpen) return;
    const key = keyOf(scope, credentials);
    const entry: Idle = { transport, timer: setTimeout(() => this.drop(key, entry), IDLE_MS).unref() };
    this.idle.set(key, [...(this.idle.get(key) ?? []), entry]);
  }

  beforeApplicationShutdown(): void {
    for (const [key, idle] of this.idle) for (const entry of [...idle]) this.drop(key, entry);
  }

  private drop(key: string, entry: Idle): void {
    clearTimeout(entry.timer);
    entry.transport.close();
    const others = (this.idle.get(key) ?? []).filter((each) => each !== entry);
    if (others.length > 0) this.idle.set(key, others);
    else this.idle.delete(key);
  }

  private async open(scope: WorkspaceScope, credentials: MailboxCredentials): Promise<Transport> {
    if (await scope.isSandbox()) return this.simulation(scope, credentials);
    switch (credentials.type) {
      case 'smtp':
      case 'google':
      case 'microsoft': {
        const signer = credentials.dkim && dkimSigner(credentials.dkim);
        const session = await this.smtpSessions.open(scope, credentials);
        return {
          get isOpen() {
            return session.isOpen;
          },
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
      send: async (mail: ComposedMail, { mayContinue }: SendOptions) =>
        (await mayContinue()) ? sendThroughSendgrid(api, mail) : { kind: 'aborted' },
      close: () => undefined,
    };
  }
}

interface Idle {
  readonly transport: Transport;
  readonly timer: NodeJS.Timeout;
}

const IDLE_MS = 10_000;

/** Longer than most servers need to close a connection and most networks to show it. */
const FINAL_DOT_DELAY_MS = 1_000;

/**
 * The key contains the credentials, so that a session with old ones is not reused after they have changed; of accounts that
 * are connected by OAuth it contains the account, because a session goes on with the token that it was opened with.
 */
const keyOf = ({ workspace_id: workspaceId }: WorkspaceScope, credentials: MailboxCredentials): string =>
  JSON.stringify([workspaceId, credentials]);
