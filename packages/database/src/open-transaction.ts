import { isReady } from '@outreach/postgres-connections';
import type { OnNodes } from '@outreach/sql-fragments';
import type { PoolClient, QueryConfig } from 'pg';
import { beginWithin, limitFurther, type TimeLimits } from './time-limits.js';

/** Called after the commit. */
export type CommitCallback = () => void | Promise<void>;

/** A transaction, and the connection that it occupies until it ends. `BEGIN` is sent with the first statement. */
export class OpenTransaction {
  private readonly callbacks: CommitCallback[] = [];
  private hasBegun = false;
  private hasEnded = false;
  private broken: Error | undefined;

  /**
   * @param limits what the server applies to the statements
   * @param send sends a statement that controls the transaction
   * @param release gives the connection back to the pool, or removes it if it is broken
   * @param nodes what all its statements get on several nodes: see {@link Sql.toQuery}
   */
  constructor(
    readonly client: PoolClient,
    private limits: TimeLimits,
    private readonly send: (statement: string) => Promise<unknown>,
    private readonly release: (broken?: Error) => void,
    readonly nodes?: OnNodes,
  ) {}

  /** Begins the transaction on the server, if it has not begun. */
  async begin(): Promise<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    await this.send(beginWithin(this.limits).join('; '));
  }

  /**
   * Prepares for a statement, which is sent next.
   * @returns the statements that begin the transaction, to be sent with it; none if it has begun
   */
  async beginBefore(statement: QueryConfig): Promise<readonly string[]> {
    if (this.hasBegun) return [];
    if (isReady(this.client, statement)) {
      this.hasBegun = true;
      return beginWithin(this.limits);
    }
    await this.begin();
    return [];
  }

  /** Makes the server apply other limits to the rest of the transaction. */
  async limitBy(limits: TimeLimits): Promise<void> {
    const statement = limitFurther(limits);
    if (statement === limitFurther(this.limits)) return;
    this.limits = limits;
    if (this.hasBegun) await this.send(statement);
  }

  afterCommit(callback: CommitCallback): void {
    this.callbacks.push(callback);
  }

  /** Commits. If this fails, `rollback` releases the connection. */
  async commit(): Promise<void> {
    if (this.hasBegun) await this.send('COMMIT');
    this.hasEnded = true;
    this.release();
  }

  /** Never rejects. Does nothing after the end of the transaction. */
  async rollback(): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const error = this.hasBegun ? await this.sendRollback() : undefined;
    this.release(this.broken ?? error);
  }

  /** The connection is not used again after the rollback. */
  noteBroken(error: Error): void {
    this.broken = error;
  }

  async runCallbacks(): Promise<void> {
    for (const callback of this.callbacks) await callback();
  }

  /** @returns why it failed: the connection is broken */
  private sendRollback(): Promise<Error | undefined> {
    return this.send('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    );
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
