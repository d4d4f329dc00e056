import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { onViolation } from '../../platform/database/index.js';
import { Conflict } from '../../platform/errors/index.js';
import { BelongsTo, WorkspaceEntity } from '../../platform/tenancy/index.js';
import { Contact } from '../contact.entity.js';

/** A static group of contacts. */
@Entity('lists')
@Unique('list_name_taken', ['workspace_id', 'name'])
export class List extends WorkspaceEntity {
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
}

@Entity('list_members')
@Index('list_members_by_contact', ['workspace_id', 'contact_id', 'list_id'])
@BelongsTo(() => List, 'list_id')
@BelongsTo(() => Contact, 'contact_id')
export class ListMember {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') list_id!: number;
  @PrimaryColumn('bigint') contact_id!: number;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}

onViolation('list_name_taken', () => new Conflict('A list with this name already exists.'));
