import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Conflict, defineReason } from '@outreach/http-errors';
import { onViolation } from '../../platform/database/index.js';
import { BelongsTo, WorkspaceEntity } from '../../platform/tenancy/index.js';
import { Contact } from '../contact.entity.js';

/** A label on contacts. */
@Entity('tags')
@Unique('tag_name_taken', ['workspace_id', 'name'])
export class Tag extends WorkspaceEntity {
  @Column('text') name!: string;
  /** `#rrggbb` */
  @Column('text', { nullable: true }) color!: string | null;
}

/**
 * The assignment of a tag to a contact. It repeats the contact's `created_at`, which the foreign key keeps equal, so
 * that one index serves a page of the tag's contacts in their default order. Without it, reading the oldest 50,000 of a
 * million took 1.4 s.
 */
@Entity('tag_members')
@Index('tag_members_by_creation', ['workspace_id', 'tag_id', 'contact_created_at', 'contact_id'])
@BelongsTo(() => Tag, 'tag_id')
@ForeignKey(
  () => Contact,
  ['workspace_id', 'contact_created_at', 'contact_id'] as const,
  ['workspace_id', 'created_at', 'id'],
  { onDelete: 'CASCADE' },
)
export class TagMember {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') contact_id!: number;
  @PrimaryColumn('bigint') tag_id!: number;
  @Column({ type: 'timestamptz', precision: 3 }) contact_created_at!: Date;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}

const NAME_TAKEN = defineReason('name_taken', 409, 'Another tag of the workspace has this name.');

onViolation('tag_name_taken', () => new Conflict(NAME_TAKEN, 'A tag with this name already exists.'));
