import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Conflict, defineReason } from '@outreach/http-errors';
import { onViolation } from '../../platform/database/index.js';
import { BelongsTo, WorkspaceEntity } from '../../platform/tenancy/index.js';
import { Contact } from '../contact.entity.js';

/** A list of contacts, filled by hand, by the API or by imports. */
@Entity('lists')
@Unique('list_name_taken', ['workspace_id', 'name'])
export class List extends WorkspaceEntity {
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
}

/**
 * The membership of a contact in a list. It repeats the contact's `created_at`, which the foreign key keeps equal, so
 * that one index serves a page of the list's contacts in their default order. Without it, reading the oldest 50,000 of
 * a million took 1.4 s.
 */
@Entity('list_members')
@Index('list_members_by_creation', ['workspace_id', 'list_id', 'contact_created_at', 'contact_id'])
@BelongsTo(() => List, 'list_id')
@ForeignKey(
  () => Contact,
  ['workspace_id', 'contact_created_at', 'contact_id'] as const,
  ['workspace_id', 'created_at', 'id'],
  { onDelete: 'CASCADE' },
)
export class ListMember {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') contact_id!: number;
  @PrimaryColumn('bigint') list_id!: number;
  @Column({ type: 'timestamptz', precision: 3 }) contact_created_at!: Date;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}

const NAME_TAKEN = defineReason('name_taken', 409, 'Another list of the workspace has this name.');

onViolation('list_name_taken', () => new Conflict(NAME_TAKEN, 'A list with this name already exists.'));
