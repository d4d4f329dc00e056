import { Injectable } from '@nestjs/common';
import { GroupCommit } from '../../platform/tenancy/index.js';

/** The order of the work in a shared transaction: the checks come last, so that they read what is true when it commits. */
export const RECORD_ACCEPTED = 1;
export const CHECK_NEXT = 2;

/**
 * The transactions of this process in which connections to mail servers record their results and check their next
 * messages. A connection submits both at the same time, so a transaction waits for about half of the busy connections,
 * while the other half sends.
 */
@Injectable()
export class SendTransactions extends GroupCommit {
  private busy = 0;

  constructor() {
    super(() => this.busy);
  }

  /** Counts a connection as busy until `work` has ended. */
  async whileBusy<R>(work: () => Promise<R>): Promise<R> {
    this.busy += 1;
    try {
      return await work();
    } finally {
      this.busy -= 1;
    }
  }
}
