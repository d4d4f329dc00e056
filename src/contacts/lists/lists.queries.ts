import { sql } from '../../platform/database/index.js';
import type { ScopedRepository, WorkspaceScope } from '../../platform/tenancy/index.js';
import { LISTS, memberCount } from '../grouping.js';
import { List } from './list.entity.js';

export type CountedList = List & ListContactsCount;

export interface ListContactsCount {
  readonly contacts_count: number;
}

export const countedLists = (scope: WorkspaceScope): ScopedRepository<List, ListContactsCount> =>
  scope.of(List).withColumns<ListContactsCount>(sql`, ${memberCount(scope, LISTS, sql`record.id`)} AS contacts_count`);
