import {
  realClock,
  type Sql,
  sql,
  SqlValue,
  type WorkspaceClock,
  WorkspaceClocks,
} from '../../src/platform/database/index.js';

const MS_PER_SECOND = 1000;
const SECONDS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;

/** For example `{ days: 1, hours: 2 }`. */
export type Duration = Readonly<Partial<Record<keyof typeof SECONDS, number>>>;

const secondsOf = (duration: Duration): number =>
  (Object.keys(SECONDS) as (keyof typeof SECONDS)[]).reduce(
    (seconds, unit) => seconds + (duration[unit] ?? 0) * SECONDS[unit],
    0,
  );

/** A number of seconds as one parameter, however often a statement contains it. */
class Seconds extends SqlValue {
  constructor(readonly sqlValue: number) {
    super();
  }
}

/** Clocks of workspaces that tests can put forward. The others show the real time. */
export class MovableClocks extends WorkspaceClocks {
  private readonly seconds = new Map<number, Seconds>();

  /** Puts the clock of one workspace forward; it continues from there. */
  advance(workspaceId: number, by: Duration): void {
    const before = this.seconds.get(workspaceId)?.sqlValue ?? 0;
    this.seconds.set(workspaceId, new Seconds(before + secondsOf(by)));
  }

  override clockOf(workspaceId: number): WorkspaceClock {
    const secondsAhead = (): Seconds | undefined => this.seconds.get(workspaceId);
    return {
      now: () => new Date(realClock.now().getTime() + (secondsAhead()?.sqlValue ?? 0) * MS_PER_SECOND),
      sqlNow: () => ahead(secondsAhead()),
    };
  }

  override nowOf(workspaceId: Sql): Sql {
    if (this.seconds.size === 0) return sql.realNow;
    const cases = [...this.seconds].map(([id, seconds]) => sql`WHEN ${id} THEN ${ahead(seconds)}`);
    return sql`CASE ${workspaceId} ${sql.join(cases, ' ')} ELSE ${sql.realNow} END`;
  }
}

const ahead = (seconds: Seconds | undefined): Sql =>
  seconds ? sql`(${sql.realNow} + make_interval(secs => ${seconds}))` : sql.realNow;
