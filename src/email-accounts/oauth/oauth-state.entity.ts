import { Check, Column, Entity, Index } from 'typeorm';
import { WorkspaceEntity } from '../../platform/tenancy/index.js';
import { isOneOf, OAUTH_PROVIDERS, type OauthProvider } from '../providers/provider-names.js';

/** A request to connect a mailbox, until the browser returns from the provider with its state (RFC 6749, 10.12). */
@Entity('oauth_states')
@Index('oauth_state_hash', ['state_hash'], { unique: true })
@Index('oauth_states_by_expiry', ['expires_at'])
@Check('oauth_state_provider_known', isOneOf('provider', OAUTH_PROVIDERS))
export class OauthState extends WorkspaceEntity {
  /** The SHA-256 of the state. The state itself is not stored. */
  @Column('text') state_hash!: string;
  @Column('text') provider!: OauthProvider;
  /** The secret of PKCE (RFC 7636). */
  @Column('text') code_verifier_encrypted!: string;
  /** The nonce that the ID token must contain. */
  @Column('text') nonce_encrypted!: string;
  /** The name of the new account. */
  @Column('text') name!: string;
  /** The sender's name of the new account; null takes the name of the ID token. */
  @Column('text', { nullable: true }) from_name!: string | null;
  @Column('int') daily_limit!: number;
  /** Where the browser is sent at the end; null shows a page. */
  @Column('text', { nullable: true }) redirect_to!: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at!: Date;
  /** The SHA-256 of the cookie of the browser in which a person has agreed; null before. Only it may return with the state. */
  @Column('text', { nullable: true }) browser_hash!: string | null;
  /** When the browser returned with the state. It is good once. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) used_at!: Date | null;
}
