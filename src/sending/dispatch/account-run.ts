import {
  LoginRefused,
  type Mailbox,
  type MailboxCredentials,
  ProviderUnavailable,
} from '../../email-accounts/index.js';
import { DatabaseUnavailable, sql } from '../../platform/database/index.js';
import { LEASE_SECONDS, WORKER } from '../../platform/queue/index.js';
import { NO_WAIT, type PendingResults, type SendDecision, type Wait } from '../results/index.js';
import type { Transport, Transports } from '../transports/index.js';
import { claim, type ClaimedMessage } from './claim.queries.js';
import type { MessageLeases } from './message-leases.js';
import type { MessageSender, SendContext } from './message-sender.js';

/** How many connections to one account's server this process opens at most. */
const MAX_CONNECTIONS = 5;
/** How many messages a run claims at a time, once the provider has taken one. A server that stalls holds few. */
const MAX_BATCH = 50;
/** About how many characters of contacts and bodies a batch has: a run with larger ones claims fewer at a time. */
const MAX_BATCH_CHARACTERS = 1_000_000;
const RUN_MS = 5_000;

/** Why a run ended: nothing was due, the time was up, or the provider could not be used. */
export type RunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'more' }
  | { readonly kind: 'login refused'; readonly error: LoginRefused }
  | { readonly kind: 'unavailable'; readonly error: ProviderUnavailable };

export interface RunDependencies {
  readonly sender: MessageSender;
  readonly results: PendingResults;
  readonly leases: MessageLeases;
  readonly transports: Transports;
}

/** A time-boxed run on one account: a few connections share the claimed messages, and claim more when these run out. */
export class AccountRun {
  private readonly claimed: ClaimedMessage[] = [];
  private claiming: Promise<void> | undefined;
  private end: RunEnd | undefined;
  private credentials: MailboxCredentials | undefined;
  private hasSent = false;
  private batch = MAX_BATCH;
  private readonly deadline = Date.now() + RUN_MS;

  constructor(
    private readonly context: SendContext,
    private readonly mailbox: Mailbox,
    private readonly dependencies: RunDependencies,
    private readonly stopping: AbortSignal,
  ) {}

  /** Sends until the run ends, then puts back what is still claimed. Throws the first failure after that. */
  async run(): Promise<RunEnd> {
    const connections = Array.from({ length: MAX_CONNECTIONS }, () => this.sendOnOneConnection());
    const settled = await Promise.allSettled(connections);
    await this.requeueUnsent();
    for (const connection of settled) if (connection.status === 'rejected') throw connection.reason;
    return this.end ?? { kind: 'done' };
  }

  private async sendOnOneConnection(): Promise<void> {
    let transport: Transport | undefined;
    try {
      for (let message = await this.next(); message; message = await this.next()) {
        transport = await this.transportFor(message, transport);
        if (!transport) return;
        await this.send(message, transport);
      }
    } catch (error) {
      this.end ??= { kind: 'more' };
      throw error;
    } finally {
      if (transport && this.credentials)
        this.dependencies.transports.release(this.context.scope, this.credentials, transport);
    }
  }

  /** Without a connection to the provider the message stays claimed, and the run ends. */
  private async transportFor(message: ClaimedMessage, open: Transport | undefined): Promise<Transport | undefined> {
    if (open?.isOpen) return open;
    try {
      this.credentials ??= this.mailbox.credentials;
      return await this.dependencies.transports.acquire(this.context.scope, this.credentials);
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
    const { scope, account_id: accountId } = this.context;
    try {
      await this.dependencies.results.available();
      const claimed = await claim(scope, accountId, WORKER, this.hasSent ? this.batch : MAX_CONNECTIONS);
      if (claimed.kind === 'claimed') {
        this.claimed.push(...claimed.messages);
        this.batch = batchFor(claimed.messages);
        for (const { id } of claimed.messages) this.dependencies.leases.acquire(id);
      } else this.end ??= { kind: 'done' };
    } finally {
      this.claiming = undefined;
    }
  }

  /** The lease is renewed until the result is recorded. */
  private async send(message: ClaimedMessage, transport: Transport): Promise<void> {
    const { results, leases } = this.dependencies;
    try {
      const decision = await this.decisionOf(message, transport);
      if (decision) await results.record(this.context.scope, { ...message, email: message.contact.email }, decision);
    } finally {
      leases.release(message.id);
    }
  }

  /** After an error no content was sent: the message goes back to the queue. */
  private async decisionOf(message: ClaimedMessage, transport: Transport): Promise<SendDecision | undefined> {
    try {
      const decision = await this.dependencies.sender.send(this.context, message, transport);
      this.hasSent = true;
      return decision;
    } catch (error) {
      // Providers without a login step refuse the credentials together with the message, and do not accept it.
      if (error instanceof LoginRefused) this.end = { kind: 'login refused', error };
      const isOutage = error instanceof LoginRefused || error instanceof DatabaseUnavailable;
      await this.dependencies.results.requeue(this.context.scope, [message.id], isOutage ? NO_WAIT : AFTER_ERROR);
      if (!(error instanceof LoginRefused)) throw error;
      return undefined;
    }
  }

  private async requeueUnsent(): Promise<void> {
    const { results, leases } = this.dependencies;
    const unsent = this.claimed.splice(0).map(({ id }) => id);
    try {
      if (unsent.length > 0) await results.requeue(this.context.scope, unsent);
    } finally {
      for (const id of unsent) leases.release(id);
    }
  }
}

/** A message that cannot be processed is not tried again and again without a pause. */
const AFTER_ERROR: Wait = { reason: null, until: sql`now() + make_interval(secs => ${LEASE_SECONDS})` };

/** Returns how many messages to claim after these. */
function batchFor(messages: readonly ClaimedMessage[]): number {
  const bodies = new Set(messages.map(({ body }) => body));
  const contacts = messages.map(({ contact }) => JSON.stringify(contact));
  const characters = [...bodies, ...contacts].reduce((sum, { length }) => sum + length, 0);
  const average = characters / messages.length;
  return Math.min(MAX_BATCH, Math.max(MAX_CONNECTIONS, Math.floor(MAX_BATCH_CHARACTERS / average)));
}
