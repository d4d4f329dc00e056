import { Injectable, SetMetadata } from '@nestjs/common';
import { type Sql, sql } from '../database/index.js';
import { DecoratedMethods } from '../discovery/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';

const CLOCK_WORK = Symbol('clock work');

/** What a module does by the clock of a workspace. Whoever puts the clock forward stops at each instant of it. */
export interface ClockWork {
  /** SQL condition: something is due, or in progress. */
  readonly isPending: Sql;
  /** SQL: the first instant after the workspace's now at which something becomes due; null if there is none. */
  readonly next?: Sql;
  /** What is pending may stay so, because nothing can be done for it yet. */
  readonly mayStay?: boolean;
  /** Does what is due and no poll for due work finds. */
  run?(): Promise<void>;
}

/** A provider's method describes what goes by the clock of a workspace: `(scope: WorkspaceScope) => ClockWork`. */
export const GoesByClock = (): MethodDecorator => SetMetadata(CLOCK_WORK, true);

/** What is due in a workspace, and when the next work is. */
export interface ClockWorkState {
  /** The time of the workspace. */
  readonly now: Date;
  /** The first instant after `now` at which something becomes due. */
  readonly next: Date | null;
  /** What is due, or in progress. */
  readonly pending: readonly ClockWork[];
}

/** Reads what goes by the clock of a workspace, of all modules, in one statement. */
@Injectable()
export class ClockWorks {
  constructor(private readonly methods: DecoratedMethods) {}

  async state(scope: WorkspaceScope): Promise<ClockWorkState> {
    const works = this.methods.withMetadata(CLOCK_WORK).map(({ call }) => call(scope) as ClockWork);
    const [row] = await scope.query<{ now: Date; next: Date | null; pending: readonly boolean[] }>(
      sql`SELECT ${scope.now} AS now, least(NULL::timestamptz, ${sql.join(works.map(nextOf))}) AS next,
            ARRAY[${sql.join(works.map(({ isPending }) => sql`coalesce((${isPending}), FALSE)`))}]::boolean[] AS pending,
            ${scope}::bigint AS workspace_id`,
    );
    if (!row) throw new Error('The state of a workspace is one row.');
    return { now: row.now, next: row.next, pending: works.filter((_, index) => row.pending[index]) };
  }
}

const nextOf = ({ next }: ClockWork): Sql => sql`(${next ?? sql`NULL::timestamptz`})`;
