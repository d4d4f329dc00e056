import { Check, Column, Entity, Unique } from 'typeorm';
import { onViolation } from '../../platform/database/index.js';
import { Conflict } from '../../platform/errors/index.js';
import { WorkspaceEntity } from '../../platform/tenancy/index.js';

/** The types of custom fields (API v1, "Contact"). */
export const CUSTOM_FIELD_TYPES = ['text', 'number', 'boolean', 'date'] as const;
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

onViolation('custom_field_key_taken', () => new Conflict('A custom field with this key already exists.'));
