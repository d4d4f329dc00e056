import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { onViolation } from '../../platform/database/index.js';
import { Conflict } from '../../platform/errors/index.js';
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

@Entity('tag_members')
@Index('tag_members_by_contact', ['workspace_id', 'contact_id', 'tag_id'])
@BelongsTo(() => Tag, 'tag_id')
@BelongsTo(() => Contact, 'contact_id')
export class TagMember {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') tag_id!: number;
  @PrimaryColumn('bigint') contact_id!: number;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}

onViolation('tag_name_taken', () => new Conflict('A tag with this name already exists.'));
