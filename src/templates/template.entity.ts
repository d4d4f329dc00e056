import { Check, Column, Entity, Index } from 'typeorm';
import { WorkspaceEntity } from '../platform/tenancy/index.js';

/** What templates are for (API v1, "Template"). */
export const TEMPLATE_CATEGORIES = [
  'prospection',
  'follow-up',
  'welcome',
  'newsletter',
  'promotional',
  'transactional',
  'other',
] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

/** A reusable subject and HTML body. */
@Entity('templates')
@Index('templates_by_creation', ['workspace_id', 'created_at', 'id'])
@Check(
  'template_category_known',
  `category IN ('prospection', 'follow-up', 'welcome', 'newsletter', 'promotional', 'transactional', 'other')`,
)
export class Template extends WorkspaceEntity {
  @Column('text') name!: string;
  @Column('text') subject!: string;
  @Column('text') body!: string;
  @Column('text', { default: 'other' }) category!: TemplateCategory;
  /** The names that the client gave, in order; those found in subject and body are added when shown. */
  @Column('text', { array: true, default: [] }) variables!: string[];
  @Column('boolean', { default: false }) is_library!: boolean;
}
