import type { DomainChecks } from '@outreach/domain-checks';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { EmailAccount } from '../email-account.entity.js';

/** The last checks of the domain of an account, which all processes share. */
@Entity('domain_checks')
@BelongsTo(() => EmailAccount, 'email_account_id')
export class StoredDomainCheck {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') email_account_id!: number;
  /** What was checked, see `subjectKey`: if the account changes, the checks are not current any more. */
  @Column('text') subject!: string;
  @Column('jsonb') checks!: DomainChecks;
  @Column({ type: 'timestamptz', precision: 3 }) checked_at!: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at!: Date;
}
