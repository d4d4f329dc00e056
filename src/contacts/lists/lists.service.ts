import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { WorkspaceLimits } from '../../platform/limits/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CreateListDto, UpdateListDto } from './list.dto.js';
import { List } from './list.entity.js';
import { countedLists, type CountedList } from './lists.queries.js';

@Injectable()
export class ListsService {
  constructor(private readonly limits: WorkspaceLimits) {}

  /** @throws Conflict if the name is taken; LimitReached */
  async create(scope: WorkspaceScope, { name, description }: CreateListDto): Promise<CountedList> {
    return scope.transaction(async (tx) => {
      const list = await tx.of(List).insert({ name, description });
      await this.limits.check(tx, 'lists', sql`SELECT 1 FROM lists WHERE workspace_id = ${tx}`);
      return { ...list, contacts_count: 0 };
    });
  }

  /** @throws Conflict if the name is taken */
  async update(scope: WorkspaceScope, list: List, { name, description }: UpdateListDto): Promise<CountedList> {
    await scope.of(List).update(list.id, { name, description });
    return countedLists(scope).get(list.id);
  }
}
