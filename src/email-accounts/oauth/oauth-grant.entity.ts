import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { EmailAccount } from '../email-account.entity.js';
import { isOneOf, OAUTH_PROVIDERS, type OauthProvider } from '../providers/provider-names.js';

/**
 * The tokens of an account that is connected by OAuth. It has a table of its own, so that a refresh never locks the row
 * of the account, under whose lock messages are claimed (ADR 42).
 */
@Entity('oauth_grants')
@BelongsTo(() => EmailAccount, 'email_account_id')
@Index('oauth_grant_address', ['workspace_id', 'provider', 'address'], { unique: true })
@Check('oauth_grant_provider_known', isOneOf('provider', OAUTH_PROVIDERS))
export class OauthGrant {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') email_account_id!: number;
  @Column('text') provider!: OauthProvider;
  /** The address of the mailbox in lower case, with which the account logs in. */
  @Column('text') address!: string;
  @Column('text') refresh_token_encrypted!: string;
  @Column('text') access_token_encrypted!: string;
  @Column({ type: 'timestamptz', precision: 3 }) access_token_expires_at!: Date;
  /** Counts the changes of the tokens: a result of a refresh is stored only if nothing has changed them meanwhile. */
  @Column('int', { default: 1 }) generation!: number;
  /** The refresh in progress. */
  @Column('uuid', { nullable: true }) refresh_leased_by!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) refresh_lease_until!: Date | null;
  /** When the mailbox was connected for the first time. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) connected_at!: Date;
}
