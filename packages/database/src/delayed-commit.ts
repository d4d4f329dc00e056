import { type OpenTransaction, orRollBack } from './open-transaction.js';
import { withoutRetries, withRetries } from './retries.js';
import type { TimeLimits } from './time-limits.js';

/** A transaction that stays open after the work that began it, until its caller ends it. See `TenantDatabase.delayCommit`. */
export class DelayedCommit {
  private transaction: OpenTransaction | undefined;
  private hasEnded = false;

  /** @param onBegin runs first in the transaction */
  constructor(private readonly onBegin: (transaction: OpenTransaction) => Promise<void>) {}

  /** Whether commits are still delayed. */
  get isPending(): boolean {
    return !this.hasEnded;
  }

  /** The transaction that is open now, if there is one. */
  get open(): OpenTransaction | undefined {
    return this.transaction;
  }

  /**
   * Runs `work` in the open transaction, or begins one. If the work that begins it fails, it is rolled back, and another
   * call may begin another one.
   * @param limits those of the work
   */
  run<R>(
    limits: TimeLimits,
    begin: () => Promise<OpenTransaction>,
    work: (transaction: OpenTransaction) => Promise<R>,
  ): Promise<R> {
    const { transaction } = this;
    if (transaction) {
      return withoutRetries(async () => {
        await transaction.limitBy(limits);
        return work(transaction);
      });
    }
    return withRetries(async () => {
      const begun = await begin();
      const result = await orRollBack(begun, async () => {
        await this.onBegin(begun);
        return work(begun);
      });
      this.transaction = begun;
      return result;
    });
  }

  /** Commits, and delays commits no more. @throws DatabaseUnavailable */
  finish(): Promise<void> {
    this.hasEnded = true;
    return this.commitChunk();
  }

  /** Rolls back, and delays commits no more. Does nothing after {@link finish}. */
  async abandon(): Promise<void> {
    this.hasEnded = true;
    await this.takeTransaction()?.rollback();
  }

  /** Commits what is open. The next work begins another transaction. @throws DatabaseUnavailable */
  async commitChunk(): Promise<void> {
    const transaction = this.takeTransaction();
    if (!transaction) return;
    await orRollBack(transaction, () => transaction.commit());
    await transaction.runCallbacks();
  }

  private takeTransaction(): OpenTransaction | undefined {
    const { transaction } = this;
    this.transaction = undefined;
    return transaction;
  }
}
