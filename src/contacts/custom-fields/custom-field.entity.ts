import { Check, Column, Entity, Unique } from 'typeorm';
import { Conflict, defineReason } from '@outreach/http-errors';
import { onViolation } from '../../platform/database/index.js';
import { WorkspaceEntity } from '../../platform/tenancy/index.js';

/** The type of all values of a custom field. It never changes. */
export const CUSTOM_FIELD_TYPES = [
  /** A string of at most 5,000 characters. */
  'text',
  /** A JSON number. Segments compare it by size. */
  'number',
  /** `true` or `false`. */
  'boolean',
  /** A day such as `2026-09-30`, or an instant with its offset (ISO 8601). Segments compare it by time. */
  'date',
] as const;
/** The type of a custom field. */
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

/** A custom field of the workspace: its key in `custom_fields`, and the type of its values. */
@Entity('custom_fields')
@Unique('custom_field_key_taken', ['workspace_id', 'key'])
@Check('custom_field_type_known', `type IN ('text', 'number', 'boolean', 'date')`)
export class CustomField extends WorkspaceEntity {
  @Column('text') key!: string;
  @Column('text') label!: string;
  @Column('text') type!: CustomFieldType;
}

const KEY_TAKEN = defineReason('key_taken', 409, 'Another custom field of the workspace has this key.');

onViolation('custom_field_key_taken', () => new Conflict(KEY_TAKEN, 'A custom field with this key already exists.'));
