import { Column, Entity } from 'typeorm';
import { WorkspaceEntity } from '../platform/tenancy/index.js';

/**
 * An address that hears of events (API v1, "Webhook"). What is due for it is delivered by one process at a time, which
 * holds its lease.
 */
@Entity('webhooks')
export class Webhook extends WorkspaceEntity {
  @Column('text') url!: string;
  @Column('text', { array: true }) events!: string[];
  @Column('boolean', { default: true }) is_active!: boolean;
  /** When the last attempt was made; tests do not count. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) last_triggered_at!: Date | null;
  /** Failed attempts in a row. */
  @Column('int', { default: 0 }) failure_count!: number;
  /** The signing secret, sealed. */
  @Column('text', { select: false }) secret!: string;
  /** Until when nothing is attempted after a failure. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false }) paused_until!: Date | null;
  @Column('uuid', { nullable: true, select: false }) leased_by!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false }) lease_until!: Date | null;
}
