import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** In Unicode code points. */
export const MAX_POSTAL_ADDRESS_LENGTH = 500;

/** A tenant. All other records belong to a workspace. */
@Entity('workspaces')
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
  /** How often the key of its inbound addresses was replaced. */
  @Column('int', { default: 0 }) inbound_key_version!: number;
  /** Set when its deletion begins. From then on it is closed: no token, inbound address or command reaches it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) deletion_started_at!: Date | null;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}
