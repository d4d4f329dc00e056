import {
  type Sql,
  sql,
  SqlValue,
  type WorkspaceClock,
  type WorkspacesInTime,
} from '../../src/platform/database/index.js';
import { SandboxClocks } from '../../src/sandbox/index.js';

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

/** An instant as one parameter, however often a statement contains it. */
class Instant extends SqlValue {
  constructor(readonly sqlValue: Date) {
    super();
  }
}

/**
 * Clocks that tests can put forward in every workspace, at once and without doing what becomes due on the way. Those of
 * sandboxes can also be put forward by the API.
 */
export class MovableClocks extends SandboxClocks {
  private readonly seconds = new Map<number, Seconds>();
  private readonly stopped = new Map<number, Instant>();

  /** Puts the clock of one workspace forward; it continues from there. */
  advance(workspaceId: number, by: Duration): void {
    const before = this.seconds.get(workspaceId)?.sqlValue ?? 0;
    this.seconds.set(workspaceId, new Seconds(before + secondsOf(by)));
  }

  /** Stops the clock of one workspace, so that only {@link advance} moves it, however long a test takes. */
  stop(workspaceId: number, at = new Date()): void {
    this.stopped.set(workspaceId, new Instant(at));
    this.advance(workspaceId, {});
  }

  /** Puts the clock of one workspace forward to noon (UTC) of the next day, so that no day ends by chance during a test. */
  advanceToNoon(workspaceId: number): void {
    const seconds = Math.floor(this.clockOf(workspaceId).now().getTime() / MS_PER_SECOND) % SECONDS.days;
    this.advance(workspaceId, { seconds: 1.5 * SECONDS.days - seconds });
  }

  override clockOf(workspaceId: number): WorkspaceClock {
    const clock = super.clockOf(workspaceId);
    const seconds = (): Seconds | undefined => this.seconds.get(workspaceId);
    const now = (): Date => this.stopped.get(workspaceId)?.sqlValue ?? clock.now();
    return {
      now: () => new Date(now().getTime() + (seconds()?.sqlValue ?? 0) * MS_PER_SECOND),
      sqlNow: () => ahead(this.stoppedOr(clock.sqlNow(), workspaceId), seconds()),
    };
  }

  override nowOf(workspaceId: Sql): Sql {
    return this.inCases(workspaceId, super.nowOf(workspaceId));
  }

  override get ahead(): WorkspacesInTime | undefined {
    const sandboxes = super.ahead;
    if (this.seconds.size === 0) return sandboxes;
    const ids = [...this.seconds.keys(), ...this.sandboxIds];
    return {
      now: (workspaceId) => this.inCases(workspaceId, sandboxes?.now(workspaceId) ?? sql.realNow),
      within: (workspaceId) => sql` AND ${workspaceId} = ANY(${ids}::bigint[])`,
    };
  }

  private inCases(workspaceId: Sql, now: Sql): Sql {
    if (this.seconds.size === 0) return now;
    const cases = [...this.seconds].map(
      ([id, seconds]) => sql`WHEN ${workspaceId} = ${id} THEN ${ahead(this.stoppedOr(now, id), seconds)}`,
    );
    return sql`CASE ${sql.join(cases, ' ')} ELSE ${now} END`;
  }

  private stoppedOr(now: Sql, workspaceId: number): Sql {
    const at = this.stopped.get(workspaceId);
    return at ? sql`${at}::timestamptz` : now;
  }
}

const ahead = (now: Sql, seconds: Seconds | undefined): Sql =>
  seconds ? sql`(${sql.later(now, sql`make_interval(secs => ${seconds})`)})` : now;
