import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Contact } from '../contact.entity.js';

/** Who or what has changed a contact. */
export const CHANGE_SOURCES = [
  /** A request with an API token. */
  'api',
  /** A file that was imported. */
  'import',
  /** The page behind a link in a message. */
  'link',
  /** The button of a mail program (RFC 8058). */
  'one_click',
  /**
   * A mail: a report of a bounce or a complaint, one to the `mailto:` address of `List-Unsubscribe`, or an answer that asks
   * for nothing but to be unsubscribed.
   */
  'mail',
  /** An event of the provider that has sent the message. */
  'provider',
  /** The service itself, for example because a mail server has refused the address. */
  'service',
] as const;
export type ChangeSource = (typeof CHANGE_SOURCES)[number];

/** The columns whose changes are recorded. */
export type ChangedField = 'status' | 'tracking_consent';

/**
 * A change of a contact's status, or of its consent to tracking. It is written in the transaction of the change, and deleted
 * with the contact.
 */
@Entity('contact_changes')
@Index('contact_changes_of_contact', ['workspace_id', 'contact_id', 'id'])
@Check('contact_change_field_known', `field IN ('status', 'tracking_consent')`)
@Check('contact_change_source_known', `source IN ('${CHANGE_SOURCES.join(`', '`)}')`)
@BelongsTo(() => Contact, 'contact_id')
export class ContactChange {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column('bigint') contact_id!: number;
  @Column('text') field!: ChangedField;
  @Column('text') old_value!: string;
  @Column('text') new_value!: string;
  @Column('text') source!: ChangeSource;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}
