import { Injectable } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import { Database, type Sql, sql } from '../platform/database/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Workspace } from './workspace.entity.js';

const COLUMNS = sql`id, name, is_sandbox, created_at`;

/** The workspaces, for the command line and `GET /me`. Those that are being deleted are found by `list` and `delete` only. */
@Injectable()
export class Workspaces {
  constructor(private readonly database: Database) {}

  /** @param isSandbox whether it is for trials, so that no mail leaves it */
  async create(name: string, isSandbox = false): Promise<Workspace> {
    return this.one(sql`INSERT INTO workspaces (name, is_sandbox) VALUES (${name}, ${isSandbox}) RETURNING ${COLUMNS}`);
  }

  /** @throws NotFound */
  async rename(id: number, name: string): Promise<Workspace> {
    return this.one(
      sql`UPDATE workspaces SET name = ${name} WHERE id = ${id} AND deletion_started_at IS NULL RETURNING ${COLUMNS}`,
    );
  }

  list(): Promise<Workspace[]> {
    return this.database.query<Workspace>(sql`SELECT ${COLUMNS} FROM workspaces ORDER BY id`);
  }

  /** @throws NotFound */
  async get(id: number): Promise<Workspace> {
    return this.one(sql`SELECT ${COLUMNS} FROM workspaces WHERE id = ${id} AND deletion_started_at IS NULL`);
  }

  /** Returns a workspace, even one that is closed. @throws NotFound */
  async getForDeletion(id: number): Promise<Workspace> {
    return this.one(sql`SELECT ${COLUMNS} FROM workspaces WHERE id = ${id}`);
  }

  /** Ends all access to a workspace, within a second in other processes. Can be repeated. @throws NotFound */
  async close(id: number): Promise<void> {
    const closed = await this.database.execute(
      sql`UPDATE workspaces SET deletion_started_at = coalesce(deletion_started_at, ${sql.realNow}) WHERE id = ${id}`,
    );
    if (closed === 0) throw new NotFound('Workspace');
  }

  /** Deletes the record of a workspace; its rows in other tables have to be deleted before. */
  async delete(id: number): Promise<void> {
    await this.database.execute(sql`DELETE FROM workspaces WHERE id = ${id}`);
  }

  /** The scope of a workspace. @throws NotFound */
  async scope(id: number): Promise<WorkspaceScope> {
    const workspace = await this.get(id);
    return WorkspaceScope.open(workspace.id, this.database);
  }

  private async one(statement: Sql): Promise<Workspace> {
    const [workspace] = await this.database.query<Workspace>(statement);
    if (!workspace) throw new NotFound('Workspace');
    return workspace;
  }
}
