import { Column, Entity, Unique } from 'typeorm';
import { BelongsTo, WorkspaceEntity } from '../../platform/tenancy/index.js';
import { Template } from '../../templates/index.js';
import { Campaign } from '../campaign/campaign.entity.js';

/** One email of a campaign. */
@Entity('campaign_steps')
@Unique('campaign_step_position', ['workspace_id', 'campaign_id', 'position'], { deferrable: 'INITIALLY DEFERRED' })
@BelongsTo(() => Campaign, 'campaign_id')
@BelongsTo(() => Template, 'template_id', 'NO ACTION')
export class Step extends WorkspaceEntity {
  @Column({ type: 'bigint', update: false }) campaign_id!: number;
  /** The position in the campaign, from 1. */
  @Column('int') position!: number;
  /** The template that subject and body were copied from; null after it was deleted. */
  @Column({ type: 'bigint', nullable: true }) template_id!: number | null;
  @Column('text') subject!: string;
  @Column('text') body!: string;
  /** Counted from the send of the previous step; for the first step from enrollment or start, whichever is later. */
  @Column('int', { default: 0 }) delay_minutes!: number;
  /** Whether it is sent as a reply to the previous message. */
  @Column('boolean', { default: false }) same_thread!: boolean;
}
