import type { ReactionKind } from '@outreach/simulated-recipients';
import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { SandboxMessage } from './sandbox-message.entity.js';

/** What is still to follow after the simulated mail server has accepted a message. */
@Entity('sandbox_reactions')
@Index('sandbox_reactions_due', ['workspace_id', 'due_at', 'id'])
@Index('sandbox_reactions_of_message', ['workspace_id', 'sandbox_message_id', 'id'])
@Check(
  'sandbox_reaction_known',
  `kind IN ('bounced', 'soft', 'complained', 'delivered', 'opened', 'clicked', 'bot', 'replied', 'ooo', 'unsubscribed')`,
)
@BelongsTo(() => SandboxMessage, 'sandbox_message_id')
export class SandboxReaction {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column('bigint') sandbox_message_id!: number;
  @Column('text') kind!: ReactionKind;
  /** By the clock of the workspace. */
  @Column({ type: 'timestamptz', precision: 3 }) due_at!: Date;
  @Column('smallint', { default: 0 }) attempts!: number;
  /** By the real time: the end of the lease of a worker, or of the pause after a failed attempt. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) next_attempt_at!: Date;
}
