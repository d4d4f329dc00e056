export { BelongsTo } from './belongs-to.js';
export { ListQuery, Page, type Reference, searchClauses, searchTerms } from './list-query.js';
export { BooleanQuery, IntegerQuery } from './query-values.js';
export { ScopedRepository } from './scoped-repository.js';
export { type EntityClass, type Filter, type Values, WorkspaceEntity } from './workspace-entity.js';
export { WorkspaceScope } from './workspace-scope.js';
