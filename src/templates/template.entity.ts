import { Check, Column, Entity, Index } from 'typeorm';
import { WorkspaceEntity } from '../platform/tenancy/index.js';

/** What a template is for. It only sorts and filters templates. */
export const TEMPLATE_CATEGORIES = [
  /** The first message to somebody who does not know you. */
  'prospection',
  /** A message after one without a reply. */
  'follow-up',
  /** The first message to a new customer or subscriber. */
  'welcome',
  /** News for many readers. */
  'newsletter',
  /** An offer. */
  'promotional',
  /** A message about something the recipient has done, such as an order. */
  'transactional',
  /** None of these. The default. */
  'other',
] as const;
/** The category of a template. */
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
  /** The names listed by the client, in order; the view adds those used in subject and body. */
  @Column('text', { array: true, default: [] }) variables!: string[];
  @Column('boolean', { default: false }) is_library!: boolean;
}
