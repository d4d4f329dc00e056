import { Column, Entity, Index } from 'typeorm';
import { WorkspaceEntity } from '../../platform/tenancy/index.js';

/** An organisation that contacts work for. */
@Entity('companies')
@Index('companies_by_creation', ['workspace_id', 'created_at', 'id'])
export class Company extends WorkspaceEntity {
  @Column('text') name!: string;
  @Column('text', { nullable: true }) domain!: string | null;
  @Column('text', { nullable: true }) website!: string | null;
  @Column('text', { nullable: true }) industry!: string | null;
}
