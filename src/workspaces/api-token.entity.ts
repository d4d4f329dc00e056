import { Column, Entity, Unique } from 'typeorm';
import type { Permission } from '@outreach/http-api/routes';
import { BelongsTo, WorkspaceEntity } from '../platform/tenancy/index.js';

/**
 * A bearer token of one workspace. Only its SHA-256 is stored. Revoking a token deletes it, and with it the tokens that
 * it created.
 */
@Entity('api_tokens')
@Unique('api_token_hash_once', ['hash'])
@BelongsTo(() => ApiToken, 'created_by')
export class ApiToken extends WorkspaceEntity {
  @Column('text') name!: string;
  @Column('text', { select: false }) hash!: string;
  @Column('text', { array: true }) permissions!: Permission[];
  /** The token whose request created this one; null if the command line did. */
  @Column('bigint', { nullable: true }) created_by!: number | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expires_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) last_used_at!: Date | null;
}
