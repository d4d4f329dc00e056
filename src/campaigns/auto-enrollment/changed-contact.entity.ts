import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A contact that has changed in a workspace with an active campaign that enrolls by itself. Triggers of `contacts`,
 * `list_members` and `tag_members` insert the rows, and a worker deletes them once it has examined the contact.
 */
@Entity('changed_contacts')
@Index('changed_contacts_overflow', ['workspace_id', 'id'], { where: 'contact_id IS NULL' })
export class ChangedContact {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  /** Null if too many changes are waiting: any contact may have changed. */
  @Column({ type: 'bigint', nullable: true }) contact_id!: number | null;
  /** The campaigns up to this ID have examined it. */
  @Column('bigint', { default: 0 }) examined_campaign_id!: number;
}
