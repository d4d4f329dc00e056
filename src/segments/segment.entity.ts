import { Check, Column, Entity, Index } from 'typeorm';
import { WorkspaceEntity } from '../platform/tenancy/index.js';
import type { Condition, MatchType } from './conditions/index.js';

/** A set of contacts, described by conditions. They are evaluated on every read. */
@Entity('segments')
@Index('segments_by_creation', ['workspace_id', 'created_at', 'id'])
@Check('segment_match_type_known', `match_type IN ('all', 'any')`)
export class Segment extends WorkspaceEntity {
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') match_type!: MatchType;
  @Column('jsonb') conditions!: Condition[];
}
