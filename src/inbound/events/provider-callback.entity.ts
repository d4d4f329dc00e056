import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A verified request with events of a provider, until these are recorded: usually for some milliseconds. What has failed
 * attempts is a single event, which is stored for some days.
 */
@Entity('provider_callbacks')
@Index('provider_callbacks_due', ['workspace_id', 'next_attempt_at'])
export class ProviderCallback {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  /** The type of its accounts. */
  @Column('text') provider!: string;
  /** The body as it was received. */
  @Column('bytea') body!: Buffer;
  /** How many events about messages of the workspace it has. */
  @Column('int') events!: number;
  /** Failed ones. */
  @Column('smallint', { default: 0 }) attempts!: number;
  /** By the time of the workspace. */
  @Column({ type: 'timestamptz', precision: 3 }) received_at!: Date;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) next_attempt_at!: Date;
  /** By the real time. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}
