import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../platform/tenancy/index.js';
import { Contact } from './contact.entity.js';

/** An earlier address of a contact. An erasure searches for it, and an export shows it. */
@Entity('former_emails')
@BelongsTo(() => Contact, 'contact_id')
export class FormerEmail {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') contact_id!: number;
  @PrimaryColumn('text') email!: string;
  /** When the contact got another one. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) replaced_at!: Date;
}
