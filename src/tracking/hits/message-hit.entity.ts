import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Message } from '../../sending/index.js';

/** What was asked for: the picture in a message, or one of its links. */
export type HitKind = 'open' | 'click';

/** Why a hit tells of no person. */
export type Uncounted = 'head' | 'prefetch' | 'agent' | 'hidden_link' | 'many_links';

/** `undecided` until it is known whether a scanner was at the message at that time. */
export type Verdict = 'undecided' | 'counted' | Uncounted;

/** One request for the picture or for a link of a message: by its recipient, or by a machine. */
@Entity('message_hits')
@Index('message_hits_of_message', ['workspace_id', 'message_id', 'kind'])
@Index('message_hits_undecided', ['workspace_id', 'created_at'], { where: `verdict = 'undecided'` })
@Check('message_hit_kind_known', `kind IN ('open', 'click')`)
@Check(
  'message_hit_verdict_known',
  `verdict IN ('undecided', 'counted', 'head', 'prefetch', 'agent', 'hidden_link', 'many_links')`,
)
@BelongsTo(() => Message, 'message_id')
export class MessageHit {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column('bigint') message_id!: number;
  @Column('text') kind!: HitKind;
  /** Which link of the body, from 1; 0 is the hidden one. Null for the picture. */
  @Column('int', { nullable: true }) link!: number | null;
  /** Where the link leads. */
  @Column('text', { nullable: true }) url!: string | null;
  @Column('text', { nullable: true }) user_agent!: string | null;
  @Column('text') verdict!: Verdict;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}
