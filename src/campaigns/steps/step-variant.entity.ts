import { Column, Entity, Index } from 'typeorm';
import { BelongsTo, WorkspaceEntity } from '../../platform/tenancy/index.js';
import { Step } from './step.entity.js';

/** One of the texts of a step. Each contact gets one of them, which is drawn by weight when its message is planned. */
@Entity('step_variants')
@Index('step_variants_in_order', ['workspace_id', 'step_id', 'position'])
@BelongsTo(() => Step, 'step_id')
export class StepVariant extends WorkspaceEntity {
  @Column({ type: 'bigint', update: false }) step_id!: number;
  /** From 1, in the order of the input. */
  @Column('smallint') position!: number;
  @Column('text') name!: string;
  /** The share of the contacts that get it, relative to the weights of the others; 0: none. */
  @Column('smallint') weight!: number;
  /** Null: that of the step. */
  @Column('text', { nullable: true }) subject!: string | null;
  /** Null: that of the step. */
  @Column('text', { nullable: true }) body!: string | null;
}
