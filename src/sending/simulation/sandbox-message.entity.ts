import { Column, Entity, Index } from 'typeorm';
import { WorkspaceEntity } from '../../platform/tenancy/index.js';

/** A message that the simulated mail server of a sandbox has accepted. */
@Entity('sandbox_messages')
@Index('sandbox_messages_by_creation', ['workspace_id', 'created_at', 'id'])
@Index('sandbox_messages_by_recipient', ['workspace_id', 'to_address', 'created_at', 'id'])
@Index('sandbox_messages_by_campaign', ['workspace_id', 'campaign_id', 'created_at', 'id'])
export class SandboxMessage extends WorkspaceEntity {
  /** The campaign and the contact of the message; null for a test. They may have been deleted. */
  @Column({ type: 'bigint', nullable: true, update: false }) campaign_id!: number | null;
  @Column({ type: 'bigint', nullable: true, update: false }) contact_id!: number | null;
  /** The contact whose fields a test shows. */
  @Column({ type: 'bigint', nullable: true, update: false, select: false }) shown_contact_id!: number | null;
  @Column({ type: 'text', update: false }) from_address!: string;
  /** In lower case. */
  @Column({ type: 'text', update: false }) to_address!: string;
  @Column({ type: 'text', update: false }) subject!: string;
  /** Its `Message-ID` without angle brackets. */
  @Column({ type: 'text', update: false }) message_id!: string;
  @Column({ type: 'text', update: false, select: false }) html!: string;
  @Column({ type: 'text', update: false, select: false }) text!: string;
  /** The complete message (RFC 5322), in lines of 7-bit characters. */
  @Column({ type: 'text', update: false, select: false }) raw!: string;
  /** The length of `raw`. */
  @Column({ type: 'int', update: false }) bytes!: number;
  /** The type of the account if its provider reports by events; null if it reports by mail. */
  @Column({ type: 'text', nullable: true, update: false }) event_provider!: string | null;
}
