import { Injectable } from '@nestjs/common';
import { FairQueue } from '@outreach/concurrency';
import { Log } from '@outreach/logging';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { MessageConnection } from './message-connection.js';
import type { SendContext } from '../pipeline.js';

/** How long a message may take after its connection has been opened, until the account opens another one. */
const AFTER_OPENING_MS = 5_000;

/** A message that is being sent, until its result is recorded. */
export interface SlowSend {
  /** The run that has begun it. */
  readonly run: object;
  readonly ended: Promise<void>;
  readonly connection: MessageConnection;
}

/**
 * Messages whose servers take long for a reply, which may take ten minutes (RFC 5321, 4.5.3.2.6), or for the greeting, which may
 * take five (4.5.3.2.1). A run leaves them here and ends, so that the other messages of the account are sent over other
 * connections meanwhile. A connection that is being opened counts as one of those that an account may have.
 */
@Injectable()
export class SlowSends {
  private readonly accounts = new FairQueue<string>(FAIR_QUEUES.slowSendsOfAccounts);
  private readonly workspaces = new FairQueue(FAIR_QUEUES.slowSends);
  /** By account. */
  private readonly sends = new Map<string, Set<SlowSend>>();
  private isStopping = false;
  private isClosing = false;

  constructor(private readonly log: Log) {}

  /** @returns whether there was a place for it. Then its errors are logged here. */
  add({ scope, account_id: accountId }: SendContext, send: SlowSend): boolean {
    const release = this.takePlace(scope, accountId);
    if (!release) return false;
    const key = keyOf(scope, accountId);
    const sends = this.sends.get(key) ?? new Set();
    this.sends.set(key, sends.add(send));
    send.ended
      .catch((error: unknown) => this.log.error('a message failed', { email_account_id: accountId, error }))
      .finally(() => {
        sends.delete(send);
        if (sends.size === 0) this.sends.delete(key);
        release();
      });
    if (this.isClosing || (this.isStopping && send.connection.isOpening)) send.connection.close();
    return true;
  }

  /** How many messages of an account are here. */
  size(scope: WorkspaceScope, accountId: number): number {
    return this.of(scope, accountId).length;
  }

  /** How many connections of an account are being opened for messages that are here. */
  openings(scope: WorkspaceScope, accountId: number): number {
    return this.of(scope, accountId).filter(({ connection }) => connection.isOpening).length;
  }

  /**
   * How many sessions of an account are in use, or being opened, for messages that are here. @param except a run that does not
   * count
   */
  connections(scope: WorkspaceScope, accountId: number, except?: object): number {
    const isInUse = ({ run, connection }: SlowSend): boolean =>
      run !== except && (connection.isOpening || connection.transport?.hasSession === true);
    return this.of(scope, accountId).filter(isInUse).length;
  }

  /**
   * Resolves when one of these connections may be free: its message is sent or has failed, or it was being opened and is open,
   * and its message slow again.
   */
  async nextFree(scope: WorkspaceScope, accountId: number): Promise<void> {
    const free = this.of(scope, accountId).map(async ({ connection, ended }) => {
      if (!connection.isOpening) return endsWithin(ended);
      await connection.opened;
      return endsWithin(ended, AFTER_OPENING_MS);
    });
    if (free.length > 0) await Promise.race(free);
  }

  private of(scope: WorkspaceScope, accountId: number): SlowSend[] {
    return [...(this.sends.get(keyOf(scope, accountId)) ?? [])];
  }

  private get all(): SlowSend[] {
    return [...this.sends.values()].flatMap((sends) => [...sends]);
  }

  /**
   * The process stops: from now on everything has a place, no connection is opened, and after `milliseconds` the others are
   * closed. Whether a server that has not replied has accepted its message is uncertain then.
   */
  closeAfter(milliseconds: number): void {
    this.isStopping = true;
    for (const { connection } of this.all) if (connection.isOpening) connection.close();
    setTimeout(() => {
      this.isClosing = true;
      for (const { connection } of this.all) connection.close();
    }, milliseconds).unref();
  }

  /** Resolves when all results are recorded, after the last {@link add}. @returns whether connections were closed */
  async ended(): Promise<boolean> {
    await Promise.allSettled(this.all.map(({ ended }) => ended));
    return this.isClosing;
  }

  private takePlace(scope: WorkspaceScope, accountId: number): (() => void) | undefined {
    const releaseAccount = this.accounts.tryAcquire(keyOf(scope, accountId));
    const releaseWorkspace = releaseAccount && this.workspaces.tryAcquire(scope.workspace_id);
    if (!releaseWorkspace && !this.isStopping) {
      releaseAccount?.();
      return undefined;
    }
    return () => {
      releaseAccount?.();
      releaseWorkspace?.();
    };
  }
}

const keyOf = ({ workspace_id: workspaceId }: WorkspaceScope, accountId: number): string =>
  `${workspaceId}-${accountId}`;

/** @returns whether `work` ends within this time, with a result or an error */
export function endsWithin(work: Promise<unknown>, milliseconds?: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = milliseconds === undefined ? undefined : setTimeout(() => resolve(false), milliseconds);
    const end = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(end, end);
  });
}
