import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { FairQueue, KeyActivity } from '@outreach/concurrency';
import { Engine } from './engine.js';
import { PreparedVariants } from './prepared-statements.js';
import { DatabaseUnavailable } from './database-errors.js';

/** The key of the statements that belong to no single tenant. IDs begin at 1. */
export const ALL_TENANTS = 0;

/** The pool's own default is 10. */
const DEFAULT_POOL_SIZE = 10;

/** The number of connections by state, and of what waits for one. */
export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  /** Not open, because nothing has needed them. */
  readonly free: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

/** Receives whether the database can be reached. */
export interface ConnectionWatch {
  /** No connection could be opened. */
  lost(error: unknown): void;
  /** There is a connection. Called each time. */
  restored(): void;
}

/** The connections of this process, which the tenants share. */
export class Connections {
  /** The maximum number of connections. */
  readonly size: number;
  /** For which tenants connections are in use or waited for. */
  readonly activity = new KeyActivity();
  /** The statements that its sessions prepare because there are few. */
  readonly variants = new PreparedVariants();
  readonly engine: Engine;
  private readonly queue: FairQueue;

  constructor(
    private readonly source: DataSource,
    private readonly watch: ConnectionWatch | undefined,
  ) {
    this.size = (source.options.extra as { max?: number } | undefined)?.max ?? DEFAULT_POOL_SIZE;
    this.queue = new FairQueue({ concurrency: this.size });
    this.engine = Engine.of(source);
  }

  /**
   * Takes a connection when the tenant has a free place for one more.
   * @param milliseconds how long it waits for the place at most
   * @returns the connection, and what gives it back or, if it is broken, removes it
   * @throws DatabaseUnavailable
   */
  async take(
    tenantId: number,
    milliseconds: number | undefined,
  ): Promise<[client: PoolClient, release: (broken?: Error) => void]> {
    const limit = milliseconds === undefined ? undefined : { milliseconds, error: allInUse };
    const endActivity = tenantId === ALL_TENANTS ? undefined : this.activity.begin(tenantId);
    try {
      const releasePlace = this.queue.tryAcquire(tenantId) ?? (await this.queue.acquire(tenantId, undefined, limit));
      const [client, releaseClient] = await this.connect().catch((error: unknown) => {
        releasePlace();
        throw error;
      });
      const release = (broken?: Error): void => {
        releaseClient(broken);
        releasePlace();
        endActivity?.();
      };
      return [client, release];
    } catch (error) {
      endActivity?.();
      throw error;
    }
  }

  get counts(): ConnectionCounts {
    const pool = (this.source.driver as PostgresDriver).master as Pool;
    const { totalCount, idleCount } = pool;
    const used = totalCount - idleCount;
    return { used, idle: idleCount, free: Math.max(this.size - totalCount, 0), waiting: this.queue.waiting };
  }

  private async connect(): Promise<[PoolClient, (broken?: Error) => void]> {
    const driver = this.source.driver as PostgresDriver;
    try {
      const [client, release] = (await driver.obtainMasterConnection()) as [PoolClient, (broken?: Error) => void];
      await this.engine.check(client).catch((error: Error) => {
        release(error);
        throw error;
      });
      this.watch?.restored();
      return [client, release];
    } catch (error) {
      this.watch?.lost(error);
      throw new DatabaseUnavailable(error);
    }
  }
}

const allInUse = (): Error => new DatabaseUnavailable('All connections of this process are in use.');
