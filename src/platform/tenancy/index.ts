export { changedSince, rangeEnd, rangeStart } from './instant-range.js';
export { BelongsTo } from './belongs-to.js';
export { deleteBatch, type DeletedBatch, type TenantTable } from './delete-batch.queries.js';
export { GroupCommit, type GroupedWork } from './group-commit.js';
export {
  type ListOptions,
  type ListPosition,
  pageLimit,
  ListQuery,
  Page,
  pageOf,
  pageOfRecords,
  type PageTotal,
  readsNext,
  searchClauses,
  searchTerms,
} from './list-query.js';
export { PerWorkspace } from './per-workspace.js';
export { BooleanQuery, IntegerQuery } from './query-values.js';
export { orderOf } from './list-order.js';
export { type Approach, ListStatements } from './list-statements.js';
export { ScopedRepository } from './scoped-repository.js';
export { type EntityClass, type ColumnFilter, type ColumnValues, WorkspaceEntity } from './workspace-entity.js';
export { WorkspaceScope } from './workspace-scope.js';
