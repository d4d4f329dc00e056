import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A message whose acceptance the simulated mail server delays, until the worker that sends it has its reply. */
@Entity('sandbox_delays')
export class SandboxDelay {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  /** The `Message-ID` of the message, without angle brackets. */
  @Column('text') message_id!: string;
  /** By the clock of the workspace. */
  @Column({ type: 'timestamptz', precision: 3 }) ends_at!: Date;
}
