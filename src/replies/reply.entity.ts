import { Column, Entity, Index, Unique } from 'typeorm';
import { Enrollment } from '../campaigns/index.js';
import { BelongsTo, WorkspaceEntity } from '../platform/tenancy/index.js';

/** A mail that was received as a reply to a message. */
@Entity('replies')
@Unique('reply_once', ['workspace_id', 'dedup_hash'])
@Index('replies_by_creation', ['workspace_id', 'created_at', 'id'])
@Index('replies_by_receipt', ['workspace_id', 'received_at', 'id'])
@Index('replies_by_campaign', ['workspace_id', 'campaign_id', 'created_at', 'id'])
@Index('replies_by_contact', ['workspace_id', 'contact_id', 'created_at', 'id'])
@Index('replies_by_account', ['workspace_id', 'email_account_id', 'created_at', 'id'])
@Index('replies_by_classification', ['workspace_id', 'classification', 'created_at', 'id'])
@Index('replies_by_sender', ['workspace_id', 'from_address'])
@Index('replies_by_message', ['workspace_id', 'enrollment_id', 'answered_id', 'is_automatic'])
@Index('replies_search', { synchronize: false })
@BelongsTo(() => Enrollment, 'enrollment_id')
export class Reply extends WorkspaceEntity {
  @Column({ type: 'bigint', update: false }) campaign_id!: number;
  @Column({ type: 'bigint', update: false }) enrollment_id!: number;
  @Column({ type: 'bigint', update: false }) contact_id!: number;
  /** That of the message; null once the account is deleted. */
  @Column({ type: 'bigint', nullable: true }) email_account_id!: number | null;
  /** The message to which it replies: its ID, and its `Message-ID` without angle brackets. */
  @Column({ type: 'bigint', update: false }) answered_id!: number;
  @Column({ type: 'text', nullable: true, update: false }) message_id!: string | null;
  /** SHA-256 of what identifies the mail, so that it is stored once, however often it is received. */
  @Column({ type: 'bytea', update: false, select: false }) dedup_hash!: Buffer;
  /** Its own `Message-ID` without angle brackets, if it has one. */
  @Column({ type: 'text', nullable: true, update: false }) received_message_id!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) from_name!: string | null;
  @Column({ type: 'text', update: false }) from_address!: string;
  @Column({ type: 'text', update: false }) subject!: string;
  /** What the sender has written, without what it quotes. */
  @Column({ type: 'text', update: false }) text!: string;
  @Column('text') classification!: string;
  /** Whether a machine has written it, whatever its classification says later. */
  @Column({ type: 'boolean', update: false }) is_automatic!: boolean;
  /** The day on which the sender is back, as `YYYY-MM-DD`: a text, because the driver reads a date as an instant. */
  @Column({ type: 'text', nullable: true, update: false }) returns_on!: string | null;
  @Column({ type: 'timestamptz', precision: 3, update: false }) received_at!: Date;
}
