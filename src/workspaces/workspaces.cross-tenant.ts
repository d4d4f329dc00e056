import { Injectable } from '@nestjs/common';
import { Database, sql } from '../platform/database/index.js';
import { NotFound } from '../platform/errors/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Workspace } from './workspace.entity.js';

/** The workspaces, for the command line and `GET /me`. */
@Injectable()
export class Workspaces {
  constructor(private readonly database: Database) {}

  async create(name: string): Promise<Workspace> {
    const [workspace] = await this.database.query<Workspace>(
      sql`INSERT INTO workspaces (name) VALUES (${name}) RETURNING id, name, created_at`,
    );
    if (!workspace) throw new Error('The workspace was not created.');
    return workspace;
  }

  /** @throws NotFound */
  async rename(id: number, name: string): Promise<Workspace> {
    const [workspace] = await this.database.query<Workspace>(
      sql`UPDATE workspaces SET name = ${name} WHERE id = ${id} RETURNING id, name, created_at`,
    );
    if (!workspace) throw new NotFound('Workspace');
    return workspace;
  }

  list(): Promise<Workspace[]> {
    return this.database.query<Workspace>(sql`SELECT id, name, created_at FROM workspaces ORDER BY id`);
  }

  /** @throws NotFound */
  async get(id: number): Promise<Workspace> {
    const [workspace] = await this.database.query<Workspace>(
      sql`SELECT id, name, created_at FROM workspaces WHERE id = ${id}`,
    );
    if (!workspace) throw new NotFound('Workspace');
    return workspace;
  }

  /** The scope of a workspace. @throws NotFound */
  async scope(id: number): Promise<WorkspaceScope> {
    const workspace = await this.get(id);
    return WorkspaceScope.open(workspace.id, this.database);
  }
}
