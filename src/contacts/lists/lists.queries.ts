import { sql } from '../../platform/database/index.js';
import type { ScopedRepository, WorkspaceScope } from '../../platform/tenancy/index.js';
import { LISTS, memberCount } from '../grouping.js';
import { List } from './list.entity.js';

/** A list with the number of its contacts. */
export type CountedList = List & ListContactsCount;

/** The number of contacts, counted when it is read. */
export interface ListContactsCount {
  readonly contacts_count: number;
}

/** The repository of lists, with the number of contacts of each. */
export const countedLists = (scope: WorkspaceScope): ScopedRepository<List, ListContactsCount> =>
  scope.of(List).withColumns<ListContactsCount>(sql`, ${memberCount(scope, LISTS, sql`record.id`)} AS contacts_count`);
