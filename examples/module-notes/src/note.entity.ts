import { BelongsTo, Column, Contact, Entity, Index, WorkspaceEntity } from 'outreach/extension';

/** A note on a contact. It is deleted with the contact. */
@Entity('notes_notes')
@Index('notes_notes_of_contact', ['workspace_id', 'contact_id', 'id'])
@BelongsTo(() => Contact, 'contact_id')
export class Note extends WorkspaceEntity {
  @Column('bigint') contact_id!: number;
  @Column('text') text!: string;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) remind_at!: Date | null;
  /** When the event of the reminder was published. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) reminded_at!: Date | null;
}
