import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** In Unicode code points. */
export const MAX_POSTAL_ADDRESS_LENGTH = 500;
export const MAX_BRAND_NAME_LENGTH = 100;
export const MAX_LOGO_URL_LENGTH = 2_000;
export const MAX_TRACKING_DOMAIN_LENGTH = 253;

/**
 * Which contacts have to agree before their opens and clicks are measured: all (true), none (false), or those in countries
 * that require it (`auto`).
 */
export type ConsentRequirement = boolean | 'auto';

@Entity('workspaces')
@Index('workspaces_sandboxes', ['id'], { where: 'is_sandbox' })
@Index('tracking_domain_owner', ['tracking_domain'], {
  unique: true,
  where: 'tracking_domain_verified_at IS NOT NULL',
})
@Index('workspaces_tracking_domain_due', ['tracking_domain_checked_at'], { where: 'tracking_domain IS NOT NULL' })
export class Workspace {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'workspaces_pk',
  })
  id!: number;
  @Column('text') name!: string;
  /** The template variable `sender_address`, with line breaks. */
  @Column('text', { nullable: true }) postal_address!: string | null;
  /** The template variable `brand.name`. Without it, templates show the name of the sender. */
  @Column('text', { nullable: true }) brand_name!: string | null;
  /** `#rrggbb`; templates derive their colors from it. */
  @Column('text', { nullable: true }) brand_color!: string | null;
  /** The image of the template variable `brand.logo`. */
  @Column('text', { nullable: true }) logo_url!: string | null;
  /** The host name with which links in messages begin while it is verified. */
  @Column('text', { nullable: true }) tracking_domain!: string | null;
  /** In the TXT record with which the owner of a domain gives it to this workspace. It is not secret. */
  @Column('text', { default: () => '(gen_random_uuid())' }) tracking_domain_token!: string;
  /** Since when it has led to the service and named this workspace; null if it does not. One workspace has a verified domain. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) tracking_domain_verified_at!: Date | null;
  /** When its records were last looked up. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) tracking_domain_checked_at!: Date | null;
  /** Whether opens and clicks of a contact may only be measured if it has agreed. */
  @Column('boolean', { default: true }) tracking_consent_required!: boolean;
  /** Whether that holds only for contacts in countries that require it, by `lies_where_consent_is_needed`. */
  @Column('boolean', { default: true }) tracking_consent_by_place!: boolean;
  /** What new campaigns measure if they do not say. */
  @Column('boolean', { default: true }) track_opens!: boolean;
  @Column('boolean', { default: true }) track_clicks!: boolean;
  /** Whether it is for trials: a simulated mail server takes its mail. It never changes. */
  @Column('boolean', { default: false }) is_sandbox!: boolean;
  /** How often the key of its inbound addresses was replaced. */
  @Column('int', { default: 0 }) inbound_key_version!: number;
  /** Set when its deletion begins. From then on it is closed: no token, inbound address or command reaches it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) deletion_started_at!: Date | null;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}
