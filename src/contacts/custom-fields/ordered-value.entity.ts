import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Contact } from '../contact.entity.js';
import { CustomField } from './custom-field.entity.js';

/**
 * The custom fields of contacts that have an order, numbers and dates, once more: JSON has no index for "greater than".
 * A trigger on contacts writes them, nobody else does.
 */
@Entity('ordered_values')
@Index('ordered_values_by_value', ['workspace_id', 'custom_field_id', 'value', 'contact_id'])
@BelongsTo(() => Contact, 'contact_id')
@BelongsTo(() => CustomField, 'custom_field_id')
export class OrderedValue {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') contact_id!: number;
  @PrimaryColumn('bigint') custom_field_id!: number;
  /** The number; of a date its milliseconds since 1970, at midnight UTC where it has no time. */
  @Column('double precision') value!: number;
}
