import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An address that unsubscribed or complained in a workspace and is no longer that of the contact. The address itself is
 * not stored, only a keyed hash of it. A contact that gets the address again gets the status and the date, too.
 */
@Entity('contact_refusals')
@Check('contact_refusal_status_known', `status IN ('unsubscribed', 'complained')`)
export class ContactRefusal {
  @PrimaryColumn('bigint') workspace_id!: number;
  /** HMAC-SHA256 of the workspace and the address. */
  @PrimaryColumn('bytea') hash!: Buffer;
  @Column('text') status!: 'unsubscribed' | 'complained';
  /** When the address unsubscribed or complained for the first time. */
  @Column({ type: 'timestamptz', precision: 3 }) refused_at!: Date;
}
