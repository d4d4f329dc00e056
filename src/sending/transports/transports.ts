import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import {
  type ComposedMail,
  type MailboxCredentials,
  openSmtpSession,
  sendThroughSendgrid,
} from '../../email-accounts/index.js';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { EgressPolicy } from '../../platform/egress/index.js';
import { toMime } from '../handover/compose.js';
import type { Transport } from './transport.js';

/** Opens transports and keeps idle ones for a while, so that a slow campaign does not log in for every message. */
@Injectable()
export class Transports implements BeforeApplicationShutdown {
  private readonly idle = new Map<string, Idle[]>();

  constructor(
    private readonly policy: EgressPolicy,
    @Inject(CONFIG) private readonly config: Pick<Config, 'sendgrid_base_url'>,
  ) {}

  /**
   * An open transport of the account.
   * @throws LoginRefused, ProviderUnavailable
   */
  async take(credentials: MailboxCredentials): Promise<Transport> {
    const idle = this.idle.get(keyOf(credentials)) ?? [];
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      clearTimeout(kept.timer);
      if (kept.transport.isOpen) return kept.transport;
    }
    return this.open(credentials);
  }

  /** Gives a transport back for whoever needs one next. */
  giveBack(credentials: MailboxCredentials, transport: Transport): void {
    if (!transport.isOpen) return;
    const key = keyOf(credentials);
    const kept: Idle = { transport, timer: setTimeout(() => this.drop(key, kept), IDLE_MS).unref() };
    this.idle.set(key, [...(this.idle.get(key) ?? []), kept]);
  }

  beforeApplicationShutdown(): void {
    for (const [key, idle] of this.idle) for (const kept of [...idle]) this.drop(key, kept);
  }

  private drop(key: string, kept: Idle): void {
    clearTimeout(kept.timer);
    kept.transport.close();
    const others = (this.idle.get(key) ?? []).filter((each) => each !== kept);
    if (others.length > 0) this.idle.set(key, others);
    else this.idle.delete(key);
  }

  private async open(credentials: MailboxCredentials): Promise<Transport> {
    switch (credentials.type) {
      case 'smtp': {
        const session = await openSmtpSession(credentials.smtp, { policy: this.policy });
        return {
          get isOpen() {
            return session.isOpen;
          },
          send: (mail, stillWanted) =>
            session.send({ from: mail.from.email, to: mail.to }, () => toMime(mail), stillWanted),
          close: () => session.close(),
        };
      }
      case 'sendgrid':
        return this.sendgrid(credentials.api_key);
      default:
        return credentials satisfies never;
    }
  }

  /** HTTP needs no session; its connections are kept alive by Node. */
  private sendgrid(apiKey: string): Transport {
    const api = { base_url: this.config.sendgrid_base_url, api_key: apiKey };
    return {
      isOpen: true,
      send: async (mail: ComposedMail, stillWanted) =>
        (await stillWanted()) ? sendThroughSendgrid(api, mail) : { kind: 'withdrawn' },
      close: () => undefined,
    };
  }
}

interface Idle {
  readonly transport: Transport;
  readonly timer: NodeJS.Timeout;
}

const IDLE_MS = 10_000;

/** Changed credentials are another key, so that no session of the old ones is used on. */
const keyOf = (credentials: MailboxCredentials): string => JSON.stringify(credentials);
