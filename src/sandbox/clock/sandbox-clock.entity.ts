import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The clock of a sandbox workspace that was put forward. Without a row it shows the real time. */
@Entity('sandbox_clocks')
@Check('sandbox_clock_once', 'id = workspace_id')
@Check('sandbox_clock_ahead', 'ahead_ms >= 0')
export class SandboxClock {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'sandbox_clocks_pk' }) workspace_id!: number;
  /** The workspace, as the ID of a job key. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'sandbox_clocks_pk' }) id!: number;
  /** How far it is ahead of the real time. It only grows. */
  @Column('bigint', { default: 0 }) ahead_ms!: number;
  /** The time to which a worker is putting it forward; null if that is done. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) target!: Date | null;
  /** When that was requested, or a worker has last worked on it, by the real time. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) touched_at!: Date;
  /** The worker that puts it forward. */
  @Column('uuid', { nullable: true }) leased_by!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) lease_until!: Date | null;
}
