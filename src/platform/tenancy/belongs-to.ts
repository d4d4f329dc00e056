import { ForeignKey } from 'typeorm';
import type { EntityClass, WorkspaceEntity } from './workspace-entity.js';

/**
 * A foreign key within the workspace: `(workspace_id, column)` refers to `(workspace_id, id)` of the parent.
 * @param onDelete `CASCADE` deletes the record with its parent. With `NO ACTION`, the transaction that deletes the
 *   parent first clears this column, because PostgreSQL 14 cannot set one column of a composite key to null, or deletes
 *   the record.
 */
export function BelongsTo(
  parent: () => EntityClass<WorkspaceEntity>,
  column: string,
  onDelete: 'CASCADE' | 'NO ACTION' = 'CASCADE',
): ClassDecorator {
  return (target) => {
    const keys = ['workspace_id', column] as const;
    ForeignKey(parent, keys, ['workspace_id', 'id'], { onDelete })(target);
  };
}
