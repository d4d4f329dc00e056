import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The response to the first POST with an `Idempotency-Key`. `response` is null if it was too large. Or a reservation of a
 * request that is still running.
 */
@Entity('idempotency_keys')
@Index('idempotency_keys_by_age', ['created_at'])
export class IdempotencyKey {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'idempotency_keys_pk' }) workspace_id!: number;
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'idempotency_keys_pk' }) token_id!: number;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_keys_pk' }) path!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_keys_pk' }) key!: string;
  @Column('text') body_hash!: string;
  @Column('int') status!: number;
  @Column('text', { nullable: true }) response!: string | null;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
  /** Until then the key is reserved for a request that has no response yet; null for a stored response. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) reserved_until!: Date | null;
}
