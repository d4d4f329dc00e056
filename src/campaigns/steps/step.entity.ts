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
  /** Its place in the campaign, from 1. */
  @Column('int') position!: number;
  /** Where subject and body were copied from, while that template exists. */
  @Column({ type: 'bigint', nullable: true }) template_id!: number | null;
  @Column('text') subject!: string;
  @Column('text') body!: string;
  /** Counts from the previous step's send; for the first from enrollment or start, whichever is later. */
  @Column('int', { default: 0 }) delay_minutes!: number;
  /** Sent as a reply to the message before it. */
  @Column('boolean', { default: false }) same_thread!: boolean;
}
