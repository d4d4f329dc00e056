import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { WorkspaceLimits } from '../../platform/limits/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CreateTagDto } from './tag.dto.js';
import { Tag } from './tag.entity.js';

@Injectable()
export class TagsService {
  constructor(private readonly limits: WorkspaceLimits) {}

  /** @throws Conflict if the name is taken; LimitReached */
  create(scope: WorkspaceScope, { name, color }: CreateTagDto): Promise<Tag> {
    return scope.transaction(async (tx) => {
      const tag = await tx.of(Tag).insert({ name, color });
      await this.limits.check(tx, 'tags', sql`SELECT 1 FROM tags WHERE workspace_id = ${tx}`);
      return tag;
    });
  }
}
