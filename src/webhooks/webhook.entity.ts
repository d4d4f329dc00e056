import { Column, Entity } from 'typeorm';
import type { Transitions } from '../platform/concurrency/index.js';
import { WorkspaceEntity } from '../platform/tenancy/index.js';

/** `failing`: attempts have failed, and no pause is in progress. `inactive`: only what a user has requested is delivered. */
export type WebhookState = 'healthy' | 'paused' | 'failing' | 'inactive';

/** Which states may follow each state. */
export const WEBHOOK_TRANSITIONS: Transitions<WebhookState> = {
  // Without a schedule of pauses, a failure causes none.
  healthy: ['paused', 'failing', 'inactive'],
  paused: ['failing', 'healthy', 'inactive'],
  failing: ['healthy', 'paused', 'inactive'],
  inactive: ['healthy'],
};

/**
 * A subscription of a URL to events (API v1, "Webhook"). The process that has leased it is the only one that delivers
 * to it.
 */
@Entity('webhooks')
export class Webhook extends WorkspaceEntity {
  @Column('text') url!: string;
  @Column('text', { array: true }) events!: string[];
  @Column('boolean', { default: true }) is_active!: boolean;
  /** The time of the last attempt. Test deliveries do not change it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) last_triggered_at!: Date | null;
  /** Failed attempts in a row. */
  @Column('int', { default: 0 }) failure_count!: number;
  /** The encrypted signing secret. */
  @Column('text', { select: false }) secret!: string;
  /** While this is in the future, the circuit is open: nothing is attempted. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false }) paused_until!: Date | null;
  @Column('uuid', { nullable: true, select: false }) leased_by!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false }) lease_until!: Date | null;
}
