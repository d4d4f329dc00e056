export {
  containing,
  escapeLike,
  KnownIds,
  NodesValue,
  type OnNodes,
  type Preparation,
  Sql,
  sql,
  SqlValue,
} from './sql.js';
