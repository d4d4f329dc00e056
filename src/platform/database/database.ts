import { initialSession, type Session, TenantDatabase } from '@outreach/database';
import { type Sql, sql } from '@outreach/sql-fragments';
import type { DataSource } from 'typeorm';
import { FAIR_QUEUES } from '../concurrency/index.js';
import { KnownSandboxes } from './known-sandboxes.js';
import { type WorkspaceClock, WorkspaceClocks, type WorkspacesInTime } from './workspace-clocks.js';

/** What a process knows of the workspaces, in every transaction. */
interface Workspaces {
  readonly clocks: WorkspaceClocks;
  readonly sandboxes: KnownSandboxes;
}

/**
 * The database of the service, whose tenants are workspaces.
 * Modules use it through a `WorkspaceScope`; only code that reads all workspaces on purpose uses it directly.
 */
export class Database extends TenantDatabase {
  readonly #session: Session;
  readonly #workspaces: Workspaces;

  /** @param session by default, statements about all workspaces outside of a transaction, without time limits */
  constructor(
    source: DataSource,
    session: Session = initialSession(source, FAIR_QUEUES.searches),
    workspaces: Workspaces = { clocks: new WorkspaceClocks(), sandboxes: new KnownSandboxes() },
  ) {
    super(source, session);
    this.#session = session;
    this.#workspaces = workspaces;
  }

  protected override with(session: Session): this {
    return new Database(this.source, session, this.#workspaces) as this;
  }

  /** @returns the same database, in which workspaces have these clocks */
  withClocks(clocks: WorkspaceClocks): Database {
    return new Database(this.source, this.#session, { ...this.#workspaces, clocks });
  }

  protected override async reachableTenants(): Promise<number[]> {
    const rows = await this.query<{ id: number }>(WORKSPACES_OF_REACHABLE_NODES);
    return rows.map(({ id }) => id);
  }

  /** The clock of the workspace of {@link forTenant}. */
  get clock(): WorkspaceClock {
    return this.#workspaces.clocks.clockOf(this.tenantId);
  }

  /** See {@link WorkspaceClocks.nowOf}. */
  nowOf(workspaceId: Sql): Sql {
    return this.#workspaces.clocks.nowOf(workspaceId);
  }

  /** See {@link WorkspaceClocks.storedNowOf}. */
  storedNowOf(workspaceId: number): Sql {
    return this.#workspaces.clocks.storedNowOf(workspaceId);
  }

  /** Whether the workspace of {@link forTenant} is a sandbox. */
  isSandbox(): Promise<boolean> {
    return this.#workspaces.sandboxes.isSandbox(this.tenantId, (statement) => this.query(statement));
  }

  /** See {@link WorkspaceClocks.ahead}. */
  get workspacesAhead(): WorkspacesInTime | undefined {
    return this.#workspaces.clocks.ahead;
  }

  /**
   * See {@link WorkspaceClocks.refresh}. Opening the scope of a workspace calls it. It costs nothing for workspaces with
   * the real time.
   */
  refreshClock(workspaceId: number): Promise<void> | undefined {
    return this.#workspaces.clocks.refresh(this, workspaceId);
  }

  /** See {@link WorkspaceClocks.refreshAll}. */
  refreshClocks(): Promise<void> | undefined {
    return this.#workspaces.clocks.refreshAll(this);
  }

  /** See {@link KnownSandboxes.note}. */
  noteSandbox(workspaceId: number, isSandbox: boolean): void {
    this.#workspaces.sandboxes.note(workspaceId, isSandbox);
  }
}

/** All tables that are distributed have their rows of a workspace on the same node. */
const WORKSPACES_OF_REACHABLE_NODES = sql`
  WITH reachable AS MATERIALIZED (
    SELECT groupid FROM pg_dist_node WHERE noderole = 'primary' AND citus_check_connection_to_node(nodename, nodeport)
  )
  SELECT id FROM workspaces WHERE get_shard_id_for_distribution_column('contacts', id) IN (
    SELECT placement.shardid FROM pg_dist_placement placement JOIN reachable ON reachable.groupid = placement.groupid)`;
