import { Check, Column, Entity, Unique } from 'typeorm';
import { BelongsTo, WorkspaceEntity } from '../../platform/tenancy/index.js';
import { Template } from '../../templates/index.js';
import { Campaign } from '../campaign/campaign.entity.js';

/** A condition on what the contact has done with the messages of other steps that it has got before. */
export const STEP_CONDITIONS = [
  /** A person has opened one of them. */
  'opened',
  /** No person has opened one of them. */
  'not_opened',
  /** A person has clicked a link in one of them. */
  'clicked',
  /** No person has clicked a link in one of them. */
  'not_clicked',
] as const;
/** When a step is sent. */
export type StepCondition = (typeof STEP_CONDITIONS)[number];

/** One email of a campaign. */
@Entity('campaign_steps')
@Unique('campaign_step_position', ['workspace_id', 'campaign_id', 'position'], { deferrable: 'INITIALLY DEFERRED' })
@Check('step_condition_known', `only_if IN ('opened', 'not_opened', 'clicked', 'not_clicked')`)
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
  /** The step is sent only if this holds when it is due; null: always. */
  @Column('text', { nullable: true }) only_if!: StepCondition | null;
  /** Names of template variables. A message waits while its contact has no value for one of them. */
  @Column('text', { array: true, default: '{}' }) required_variables!: string[];
}
