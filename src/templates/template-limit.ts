import { Injectable } from '@nestjs/common';
import { sql } from '../platform/database/index.js';
import { WorkspaceLimits } from '../platform/limits/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/** The limit of a workspace's templates. */
@Injectable()
export class TemplateLimit {
  constructor(private readonly limits: WorkspaceLimits) {}

  /** Runs `insert` in a transaction. @throws LimitReached if the workspace has too many templates after it */
  within<R>(scope: WorkspaceScope, insert: (tx: WorkspaceScope) => Promise<R>): Promise<R> {
    return scope.transaction(async (tx) => {
      const inserted = await insert(tx);
      await this.limits.check(tx, 'templates', sql`SELECT 1 FROM templates WHERE workspace_id = ${tx}`);
      return inserted;
    });
  }
}
