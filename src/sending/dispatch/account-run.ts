import {
  LoginRefused,
  type Mailbox,
  type MailboxCredentials,
  ProviderUnavailable,
} from '../../email-accounts/index.js';
import { WORKER } from '../../platform/queue/index.js';
import type { Transport, Transports } from '../transports/index.js';
import { claim, type ClaimedMessage } from './claim.queries.js';
import { type SendContext, sendMessage } from './send-message.js';

/** Connections to one account's server that one process opens at most. */
const CONNECTIONS = 5;
const BATCH = 50;
const RUN_MS = 5_000;

/** Why a slice ended: nothing was due, time was up, or the provider would not have us. */
export type RunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'more' }
  | { readonly kind: 'login refused'; readonly error: LoginRefused }
  | { readonly kind: 'unavailable'; readonly error: ProviderUnavailable };

/** One slice of work on one account: a few connections share what is claimed, and claim more when it runs out. */
export class AccountRun {
  private readonly claimed: ClaimedMessage[] = [];
  private claiming: Promise<void> | undefined;
  private end: RunEnd | undefined;
  private credentials: MailboxCredentials | undefined;
  private readonly deadline = Date.now() + RUN_MS;

  constructor(
    private readonly context: SendContext,
    private readonly mailbox: Mailbox,
    private readonly transports: Transports,
    private readonly stopping: AbortSignal,
  ) {}

  /** Works until the slice ends. What is still claimed then goes back unsent, before a failure escapes. */
  async run(): Promise<RunEnd> {
    const runners = Array.from({ length: CONNECTIONS }, () => this.sendOnOneConnection());
    const settled = await Promise.allSettled(runners);
    const { scope, account_id: accountId, results } = this.context;
    const unsent = this.claimed.splice(0).map(({ id }) => id);
    for (const id of unsent) this.context.leases.release(id);
    if (unsent.length > 0) await results.release(scope, accountId, unsent);
    for (const result of settled) if (result.status === 'rejected') throw result.reason;
    return this.end ?? { kind: 'done' };
  }

  private async sendOnOneConnection(): Promise<void> {
    let transport: Transport | undefined;
    try {
      for (let message = await this.next(); message; message = await this.next()) {
        transport = await this.transportFor(message, transport);
        if (!transport) return;
        await this.deliver(message, transport);
      }
    } catch (error) {
      this.end ??= { kind: 'more' };
      throw error;
    } finally {
      if (transport && this.credentials) this.transports.release(this.credentials, transport);
    }
  }

  /** Without a way to the provider the message goes back to the others, and the slice ends. */
  private async transportFor(message: ClaimedMessage, open: Transport | undefined): Promise<Transport | undefined> {
    if (open?.isOpen) return open;
    try {
      this.credentials ??= this.mailbox.credentials;
      return await this.transports.acquire(this.credentials);
    } catch (error) {
      this.claimed.push(message);
      if (error instanceof LoginRefused) this.end = { kind: 'login refused', error };
      else if (error instanceof ProviderUnavailable) this.end ??= { kind: 'unavailable', error };
      else throw error;
      return undefined;
    }
  }

  private async next(): Promise<ClaimedMessage | undefined> {
    while (!this.end) {
      if (this.stopping.aborted || Date.now() > this.deadline) {
        this.end = { kind: 'more' };
        return undefined;
      }
      const message = this.claimed.shift();
      if (message) return message;
      await (this.claiming ??= this.claimMore());
    }
    return undefined;
  }

  private async claimMore(): Promise<void> {
    try {
      const claimed = await claim(this.context.scope, this.context.account_id, WORKER, BATCH);
      if (claimed.kind === 'claimed') this.take(claimed.messages);
      else this.end ??= { kind: 'done' };
    } finally {
      this.claiming = undefined;
    }
  }

  /** Whatever happens, the lease is renewed no longer: what was not written down runs out and is taken up again. */
  private async deliver(message: ClaimedMessage, transport: Transport): Promise<void> {
    try {
      await sendMessage(this.context, message, transport);
    } catch (error) {
      // Providers without a login of their own refuse the credentials with the message, which was not taken then.
      if (!(error instanceof LoginRefused)) throw error;
      this.end = { kind: 'login refused', error };
      await this.context.results.release(this.context.scope, this.context.account_id, [message.id]);
    } finally {
      this.context.leases.release(message.id);
    }
  }

  private take(messages: readonly ClaimedMessage[]): void {
    this.claimed.push(...messages);
    for (const { id } of messages) this.context.leases.acquire(id);
  }
}
