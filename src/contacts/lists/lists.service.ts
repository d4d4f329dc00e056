import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CreateListDto } from './dto/create-list.dto.js';
import type { UpdateListDto } from './dto/update-list.dto.js';
import { List } from './list.entity.js';
import { countedLists, type CountedList } from './lists.queries.js';

@Injectable()
export class ListsService {
  /** @throws Conflict if the name is taken */
  async create(scope: WorkspaceScope, { name, description }: CreateListDto): Promise<CountedList> {
    return { ...(await scope.of(List).insert({ name, description })), contacts_count: 0 };
  }

  /** @throws Conflict if the name is taken */
  async update(scope: WorkspaceScope, list: List, { name, description }: UpdateListDto): Promise<CountedList> {
    await scope.of(List).update(list.id, { name, description });
    return countedLists(scope).get(list.id);
  }
}
