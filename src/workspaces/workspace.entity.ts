import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

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
  /** How often the key of its inbound addresses was replaced. */
  @Column('int', { default: 0 }) inbound_key_version!: number;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}
