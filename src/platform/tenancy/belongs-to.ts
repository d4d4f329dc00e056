import { ForeignKey } from 'typeorm';
import type { EntityClass, WorkspaceEntity } from './workspace-entity.js';

/**
 * A foreign key within the workspace: `(workspace_id, column)` refers to the parent's `(workspace_id, id)`.
 * @param onDelete `CASCADE` deletes along; otherwise whoever deletes the parent settles this column first.
 *   PostgreSQL 14 cannot set one column of a composite key to null.
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
