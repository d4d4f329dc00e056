import { Injectable, SetMetadata } from '@nestjs/common';
import { type DecoratedMethod, DecoratedMethods } from '@outreach/decorated-methods';
import { type Sql, sql } from '../database/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';

const CLOCK_WORK = Symbol('clock work');
const CLOCK_RETENTION = Symbol('clock retention');

/** What a module does by the clock of a workspace. Whoever puts the clock forward stops at each instant of it. */
export interface ClockWork {
  /** SQL condition: something is due, or in progress. */
  readonly isPending: Sql;
  /** SQL: the first instant after the workspace's now at which something becomes due; null if there is none. */
  readonly next?: Sql;
  /** What is pending may stay so, because nothing can be done for it yet. */
  readonly mayStay?: boolean;
  /**
   * SQL, a number: of work that may stay and that a worker waits for, such as a reply that the clock delays. If the number
   * stays the same for a moment, the work waits for the clock.
   */
  readonly progress?: Sql;
  /** Does what is due and no poll for due work finds. */
  run?(): Promise<void>;
}

/**
 * A provider's method describes what goes by the clock of a workspace: `(scope: WorkspaceScope) => ClockWork |
 * Promise<ClockWork>`.
 */
export const GoesByClock = (): MethodDecorator => SetMetadata(CLOCK_WORK, true);

/**
 * Rows of a workspace that are deleted when they are too old. No rule depends on the instant, so the clock does not stop for
 * them: whoever puts it forward deletes them at the end of the way.
 */
export interface ClockRetention {
  /** @returns SQL condition: some rows are too old at an instant */
  readonly isExpiredAt: (instant: Sql) => Sql;
  /** Deletes them, or some of very many. */
  delete(): Promise<void>;
}

/** A provider's method describes what expires by the clock of a workspace: `(scope: WorkspaceScope) => ClockRetention`. */
export const ExpiresByClock = (): MethodDecorator => SetMetadata(CLOCK_RETENTION, true);

/** What is due in a workspace, and when the next work is. */
export interface ClockWorkState {
  /** The time of the workspace. */
  readonly now: Date;
  /** The first instant after `now` at which something becomes due. */
  readonly next: Date | null;
  /** What is due, or in progress. */
  readonly pending: readonly ClockWork[];
  /** The {@link ClockWork.progress} of what is pending; undefined if none of it declares that. */
  readonly progress: string | undefined;
}

/**
 * Reads what goes by the clock of a workspace, of all modules, in one statement, after those with which modules compute theirs.
 */
@Injectable()
export class ClockWorks {
  private works: readonly DecoratedMethod<true>[] | undefined;
  private retentions: readonly DecoratedMethod<true>[] | undefined;

  constructor(private readonly methods: DecoratedMethods) {}

  async state(scope: WorkspaceScope): Promise<ClockWorkState> {
    this.works ??= this.methods.withMetadata(CLOCK_WORK);
    const works = await Promise.all(this.works.map(async ({ call }) => (await call(scope)) as ClockWork));
    const [row] = await scope.query<StateRow & Record<string, unknown>>(
      sql`SELECT ${scope.now} AS now, least(NULL::timestamptz, ${sql.join(works.map(nextOf))}) AS next,
            ARRAY[${sql.join(works.map(({ isPending }) => sql`coalesce((${isPending}), FALSE)`))}]::boolean[] AS pending,
            ARRAY[${sql.join(works.map(progressOf))}]::bigint[] AS progress, ${scope}::bigint AS workspace_id`,
    );
    if (!row) throw new Error('The state of a workspace is one row.');
    const { now, next } = row;
    const progress = row.progress.filter((value, index) => value !== null && row.pending[index]);
    return {
      now,
      next,
      pending: works.filter((_, index) => row.pending[index]),
      progress: progress.length > 0 ? progress.join() : undefined,
    };
  }

  /** @returns what will have expired at an instant */
  async expiredAt(scope: WorkspaceScope, instant: Sql): Promise<ClockRetention[]> {
    this.retentions ??= this.methods.withMetadata(CLOCK_RETENTION);
    const retentions = this.retentions.map(({ call }) => call(scope) as ClockRetention);
    if (retentions.length === 0) return [];
    const [row] = await scope.query<{ expired: readonly boolean[] }>(
      sql`SELECT ARRAY[${sql.join(retentions.map((retention) => retention.isExpiredAt(instant)))}]::boolean[] AS expired,
            ${scope}::bigint AS workspace_id`,
    );
    return retentions.filter((_, index) => row?.expired[index]);
  }
}

interface StateRow {
  readonly now: Date;
  readonly next: Date | null;
  readonly pending: readonly boolean[];
  readonly progress: readonly (number | null)[];
}

const progressOf = ({ progress }: ClockWork): Sql => sql`(${progress ?? sql`NULL::bigint`})`;
const nextOf = ({ next }: ClockWork): Sql => sql`(${next ?? sql`NULL::timestamptz`})`;
