import type { PoolClient } from 'pg';
import { beginWithin, limitFurther, type TimeLimits } from './time-limits.js';

/** Called after the commit. */
export type CommitCallback = () => void | Promise<void>;

/** A transaction, and the connection that it occupies until it ends. */
export class OpenTransaction {
  private readonly callbacks: CommitCallback[] = [];
  private hasEnded = false;

  /**
   * @param limits what the server applies to the statements
   * @param send sends a statement that controls the transaction
   * @param release gives the connection back to the pool, or removes it if it is broken
   */
  constructor(
    readonly client: PoolClient,
    private limits: TimeLimits,
    private readonly send: (statement: string) => Promise<unknown>,
    private readonly release: (broken?: Error) => void,
  ) {}

  async begin(): Promise<void> {
    await this.send(beginWithin(this.limits));
  }

  /** Makes the server apply other limits to the rest of the transaction. */
  async limitBy(limits: TimeLimits): Promise<void> {
    const statement = limitFurther(limits);
    if (statement === limitFurther(this.limits)) return;
    this.limits = limits;
    await this.send(statement);
  }

  afterCommit(callback: CommitCallback): void {
    this.callbacks.push(callback);
  }

  /** Commits. If this fails, `rollback` releases the connection. */
  async commit(): Promise<void> {
    await this.send('COMMIT');
    this.hasEnded = true;
    this.release();
  }

  /** Never rejects. Does nothing after the end of the transaction. */
  async rollback(): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const broken = await this.send('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    );
    this.release(broken);
  }

  async runCallbacks(): Promise<void> {
    for (const callback of this.callbacks) await callback();
  }
}

/** Runs `work` in the transaction; rolls it back if `work` fails. */
export async function orRollBack<R>(transaction: OpenTransaction, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}
