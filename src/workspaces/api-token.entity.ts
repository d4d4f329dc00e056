import { Column, Entity, Unique } from 'typeorm';
import type { Permission } from '../platform/http/index.js';
import { WorkspaceEntity } from '../platform/tenancy/index.js';

/** A bearer token of one workspace. Only its SHA-256 is stored. Revoking a token deletes it. */
@Entity('api_tokens')
@Unique('api_token_hash_once', ['hash'])
export class ApiToken extends WorkspaceEntity {
  @Column('text') name!: string;
  @Column('text', { select: false }) hash!: string;
  @Column('text', { array: true }) permissions!: Permission[];
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expires_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) last_used_at!: Date | null;
}
