import { LRUCache } from 'lru-cache';
import {
  type ClockReader,
  realClock,
  type Sql,
  sql,
  NodesValue,
  SqlValue,
  type WorkspaceClock,
  WorkspaceClocks,
  type WorkspacesInTime,
} from '../../platform/database/index.js';

/** How many workspaces with the real time are known, so that their clocks are not read again. */
const MAX_KNOWN = 100_000;

/** How often a process that knows no clock ahead of the real time checks for the first one. */
const CHECK_EVERY_MS = 5_000;

/** Milliseconds as one parameter, however often a statement contains it. */
class Milliseconds extends SqlValue {
  constructor(readonly sqlValue: number) {
    super();
  }

  /** The time that is so much later, for an engine that accepts no sum in all places of a write. */
  readonly laterOnNodes = new NodesValue(({ at }) => new Date(at.getTime() + this.sqlValue));
}

/**
 * The clocks of all workspaces: those of sandboxes run at the speed of the real time and may be ahead of it (ADR 65).
 * A process remembers how far, and reads it again before it works for a sandbox. Whether a workspace is a sandbox never
 * changes, so the others cost one statement in the life of a process.
 */
export class SandboxClocks extends WorkspaceClocks {
  private readonly inRealTime = new LRUCache<number, true>({ max: MAX_KNOWN });
  private readonly aheadBy = new Map<number, Milliseconds>();
  private allReadAt = -Infinity;

  override clockOf(workspaceId: number): WorkspaceClock {
    const aheadBy = (): Milliseconds | undefined => this.aheadBy.get(workspaceId);
    if (this.inRealTime.has(workspaceId)) return realClock;
    return {
      now: () => new Date(realClock.now().getTime() + (aheadBy()?.sqlValue ?? 0)),
      sqlNow: () => ahead(aheadBy()),
    };
  }

  override nowOf(workspaceId: Sql): Sql {
    if (this.aheadBy.size === 0) return sql.realNow;
    return sql.byEngine(
      sql`(CASE WHEN ${workspaceId} = ANY(${this.sandboxIds}::bigint[]) THEN ${storedNow(workspaceId)} ELSE ${sql.realNow} END)`,
      // Several nodes do not accept a sub-select in all places: the clocks are as this process knows them.
      sql`coalesce(to_timestamp((${this.secondsOnNodes}::jsonb ->> ${workspaceId}::text)::float8), ${sql.realNow})`,
    );
  }

  override storedNowOf(workspaceId: number): Sql {
    return this.inRealTime.has(workspaceId) ? sql.realNow : storedNow(sql`${workspaceId}::bigint`);
  }

  override get ahead(): WorkspacesInTime | undefined {
    if (this.aheadBy.size === 0) return undefined;
    const ids = this.sandboxIds;
    return {
      now: storedNow,
      within: (workspaceId) => sql` AND ${workspaceId} = ANY(${ids}::bigint[])`,
    };
  }

  override refresh(database: ClockReader, workspaceId: number): Promise<void> | undefined {
    return this.inRealTime.has(workspaceId) ? undefined : this.read(database, workspaceId);
  }

  /** The times of sandboxes, in seconds since 1970, by workspace. */
  private readonly secondsOnNodes = new NodesValue(({ at }) =>
    JSON.stringify(
      Object.fromEntries([...this.aheadBy].map(([id, { sqlValue }]) => [id, (at.getTime() + sqlValue) / 1_000])),
    ),
  );

  override async refreshAll(database: ClockReader): Promise<void> {
    const before = this.sandboxIds;
    if (before.length === 0 && performance.now() - this.allReadAt < CHECK_EVERY_MS) return;
    this.allReadAt = performance.now();
    const clocks = await database.query<{ workspace_id: number; ahead_ms: number }>(
      sql`SELECT workspace_id, ahead_ms FROM sandbox_clocks`.prepared(),
    );
    const known = new Set(clocks.map((clock) => clock.workspace_id));
    // Of workspaces that were deleted. A row that was read meanwhile may be newer than this statement.
    for (const id of before) if (!known.has(id)) this.aheadBy.delete(id);
    for (const clock of clocks) this.note(clock.workspace_id, clock.ahead_ms);
  }

  /** The workspaces whose clocks are ahead. */
  protected get sandboxIds(): number[] {
    return [...this.aheadBy.keys()];
  }

  /** The clock of this workspace is so far ahead of the real time. */
  note(workspaceId: number, aheadMs: number): void {
    if (aheadMs > (this.aheadBy.get(workspaceId)?.sqlValue ?? 0))
      this.aheadBy.set(workspaceId, new Milliseconds(aheadMs));
  }

  private async read(database: ClockReader, workspaceId: number): Promise<void> {
    const [workspace] = await database.query<{ is_sandbox: boolean; ahead_ms: number | null }>(
      sql`SELECT workspace.is_sandbox, clock.ahead_ms FROM workspaces workspace
          LEFT JOIN sandbox_clocks clock ON clock.workspace_id = workspace.id
          WHERE workspace.id = ${workspaceId}`.prepared(),
    );
    if (!workspace?.is_sandbox) this.inRealTime.set(workspaceId, true);
    else if (workspace.ahead_ms !== null) this.note(workspaceId, workspace.ahead_ms);
  }
}

const ahead = (milliseconds: Milliseconds | undefined): Sql =>
  milliseconds
    ? sql.byEngine(
        sql`(${sql.realNow} + make_interval(secs => ${milliseconds} / 1000.0::float8))`,
        sql`${milliseconds.laterOnNodes}::timestamptz`,
      )
    : sql.realNow;

/** The time of a sandbox as it is stored, in a statement about several. No column has the name of one outside. */
const storedNow = (workspaceId: Sql): Sql =>
  sql`(${sql.realNow} + make_interval(secs => coalesce((
    SELECT clock.ahead_ms FROM sandbox_clocks AS clock (clock_of, clock_id)
      WHERE clock.clock_of = ${workspaceId}), 0) / 1000.0::float8))`;
