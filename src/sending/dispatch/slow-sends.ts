import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../platform/concurrency/index.js';
import { Log } from '../../platform/logging/index.js';
import type { Transport } from '../transports/index.js';
import type { SendContext } from './message-sender.js';

/** How many messages of one account wait here at the same time. */
const MAX_PER_ACCOUNT = 5;
/** How many messages wait here in this process; the workspaces share the places. */
const MAX_SENDS = 2_000;

/** A message that is being sent, until its result is recorded. */
export interface SlowSend {
  readonly ended: Promise<void>;
  /** Its connection. */
  readonly transport: Transport;
}

/**
 * Messages whose servers take long for a reply, which may take ten minutes (RFC 5321, 4.5.3.2.6). A run leaves them here
 * and ends, so that the other messages of the account are sent over other connections meanwhile.
 */
@Injectable()
export class SlowSends {
  private readonly accounts = new FairQueue<string>({ concurrency: Infinity, perKey: MAX_PER_ACCOUNT });
  private readonly workspaces = new FairQueue({ concurrency: MAX_SENDS });
  private readonly sends = new Set<SlowSend>();
  private isStopping = false;
  private isClosing = false;

  constructor(private readonly log: Log) {}

  /** @returns whether there was a place for it. Then its errors are logged here. */
  add({ scope, account_id: accountId }: SendContext, send: SlowSend): boolean {
    const release = this.takePlace(scope.workspace_id, accountId);
    if (!release) return false;
    this.sends.add(send);
    send.ended
      .catch((error: unknown) => this.log.error('a message failed', { email_account_id: accountId, error }))
      .finally(() => {
        this.sends.delete(send);
        release();
      });
    if (this.isClosing) send.transport.close();
    return true;
  }

  /**
   * The process stops: from now on everything has a place, and after `milliseconds` the connections are closed. Whether a
   * server that has not replied has accepted its message is uncertain then.
   */
  closeAfter(milliseconds: number): void {
    this.isStopping = true;
    setTimeout(() => {
      this.isClosing = true;
      for (const { transport } of this.sends) transport.close();
    }, milliseconds).unref();
  }

  /** Resolves when all results are recorded, after the last {@link add}. @returns whether connections were closed */
  async ended(): Promise<boolean> {
    await Promise.allSettled([...this.sends].map(({ ended }) => ended));
    return this.isClosing;
  }

  private takePlace(workspaceId: number, accountId: number): (() => void) | undefined {
    const releaseAccount = this.accounts.tryAcquire(`${workspaceId}-${accountId}`);
    const releaseWorkspace = releaseAccount && this.workspaces.tryAcquire(workspaceId);
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

/** @returns whether `work` ends within this time, with a result or an error */
export function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    const end = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(end, end);
  });
}
