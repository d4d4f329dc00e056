import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Contact } from '../contact.entity.js';
import { CustomField } from './custom-field.entity.js';

/**
 * A copy of the custom fields of the types number and date, because an index on JSON does not serve "greater than".
 * Only a trigger on contacts writes it.
 */
@Entity('ordered_values')
@Index('ordered_values_by_value', ['workspace_id', 'custom_field_id', 'value', 'contact_id'])
@BelongsTo(() => Contact, 'contact_id')
@BelongsTo(() => CustomField, 'custom_field_id')
export class OrderedValue {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') contact_id!: number;
  @PrimaryColumn('bigint') custom_field_id!: number;
  /** The number, or the date in milliseconds since 1970. A date without a time is midnight UTC. */
  @Column('double precision') value!: number;
}
