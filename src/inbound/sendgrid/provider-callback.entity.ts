import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A verified request with events of a provider, until these are recorded: usually for some milliseconds. What has several
 * attempts made a batch fail.
 */
@Entity('provider_callbacks')
export class ProviderCallback {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  /** The body as it was received. */
  @Column('bytea') body!: Buffer;
  /** How many events about messages of the workspace it has. */
  @Column('int') events!: number;
  @Column('smallint', { default: 0 }) attempts!: number;
  @Column({ type: 'timestamptz', precision: 3 }) received_at!: Date;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) next_attempt_at!: Date;
}
