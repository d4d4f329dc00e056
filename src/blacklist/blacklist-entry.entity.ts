import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { defineReason, RuleViolated } from '@outreach/http-errors';
import { onViolation } from '../platform/database/index.js';
import { WorkspaceEntity } from '../platform/tenancy/index.js';

/** Why an address is on the blacklist. */
export const BLACKLIST_REASONS = [
  /** A mail server has refused the address for good. Added by the service. */
  'bounce',
  /** The recipient has marked a message as spam. Added by the service. */
  'complaint',
  /** Added by hand or by request. The default. */
  'manual',
  /** The person does not want any messages. */
  'unsubscribe',
] as const;
/** The reason of one entry. */
export type BlacklistReason = (typeof BLACKLIST_REASONS)[number];

/**
 * An address that no workspace sends to, or only not the workspace that has added it. Each workspace sees only the entries
 * that it added.
 */
@Entity('blacklist_entries')
@Unique('blacklist_email_once', ['workspace_id', 'email'])
@Index('blacklist_everywhere', ['email'])
@Index('blacklist_by_creation', ['workspace_id', 'created_at', 'id'])
@Check('blacklist_reason_known', `reason IN ('bounce', 'complaint', 'manual', 'unsubscribe')`)
export class BlacklistEntry extends WorkspaceEntity {
  /** In lower case; of an erased person the keyed hash of the address, see `BlacklistHashes`. */
  @Column('text') email!: string;
  @Column('text', { default: 'manual' }) reason!: BlacklistReason;
  /**
   * Whether it holds for all workspaces, or in its own alone: if that is a sandbox, or if it arose from a report beyond the
   * limit of the day.
   */
  @Column('boolean', { default: true }) is_shared!: boolean;
}

const ALREADY_BLACKLISTED = defineReason(
  'already_blacklisted',
  422,
  'The workspace has blacklisted the address before.',
);

/** 422: the workspace has added the address before. */
export class AlreadyBlacklisted extends RuleViolated {
  constructor() {
    super(ALREADY_BLACKLISTED, 'The address is already blacklisted.');
  }
}
onViolation('blacklist_email_once', () => new AlreadyBlacklisted());
