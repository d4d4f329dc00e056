import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The workspace that has verified a tracking domain last. The row remains when the workspace has another domain, so that the
 * links of its earlier messages work, until another workspace verifies the domain. A trigger of `workspaces` writes it.
 */
@Entity('tracking_domains')
@Index('tracking_domain_once', ['domain'], { unique: true })
export class TrackingDomain {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'tracking_domains_pk' }) workspace_id!: number;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'tracking_domains_pk' }) domain!: string;
  @Column({ type: 'timestamptz', precision: 3 }) verified_at!: Date;
}
