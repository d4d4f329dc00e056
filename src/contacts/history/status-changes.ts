import { ValidationFailed } from '@outreach/http-errors';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Contact, type ContactStatus } from '../contact.entity.js';
import { type StatusColumns, statusColumns, statusErrors, type StatusInput } from '../status-input.js';
import { recordChange } from './contact-changes.queries.js';

/** The columns after an input of the status. Undefined ones do not change. */
type ChangedColumns = { readonly [Name in keyof StatusColumns]: StatusColumns[Name] | undefined };

const UNCHANGED: ChangedColumns = { status: undefined, unsubscribed_at: undefined };

/** The columns of a new contact that follow from an input of the status. */
export const newStatusColumns = (scope: WorkspaceScope, input: StatusInput): ChangedColumns =>
  isNamed(input) ? statusColumns(input, undefined, scope.clock.now()) : UNCHANGED;

export async function recordNewStatus(scope: WorkspaceScope, { id, status }: Contact): Promise<void> {
  if (status !== 'active') await recordChange(scope, 'status', { id, from: 'active', to: status });
}

/** What an input of the status changes. */
export interface ChangedStatus {
  readonly columns: ChangedColumns;
  /** The new status; undefined if it is that of before. */
  readonly to?: ContactStatus;
}

/**
 * Returns what an input of the status changes in a contact, and records it. Locks the contact, if the input names a status.
 * @throws NotFound; ValidationFailed if the contact has changed since the input was checked
 */
export async function changedStatus(scope: WorkspaceScope, id: number, input: StatusInput): Promise<ChangedStatus> {
  if (!isNamed(input)) return { columns: UNCHANGED };
  const stored = await scope.of(Contact).lock(id);
  const now = scope.clock.now();
  const errors = statusErrors(input, stored, now);
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  const columns = statusColumns(input, stored, now);
  if (columns.status === stored.status) return { columns };
  await recordChange(scope, 'status', { id, from: stored.status, to: columns.status });
  return { columns, to: columns.status };
}

const isNamed = ({ status, unsubscribed_at: at }: StatusInput): boolean => status !== undefined || at !== undefined;
