import { Check, Column, Entity, Unique } from 'typeorm';
import type { TemplateCategory } from '../templates/index.js';
import { MarketplaceRecord } from './marketplace-record.js';

/** A ready-made template for all workspaces. */
@Entity('marketplace_templates')
@Unique('marketplace_template_slug', ['slug'])
@Check('marketplace_template_locale_known', `locale IN ('fr', 'en')`)
@Check('marketplace_template_origin_known', `origin IN ('shipped', 'operator')`)
export class MarketplaceTemplate extends MarketplaceRecord {
  @Column('text') category!: TemplateCategory;
  @Column('text') subject!: string;
  @Column('text') body!: string;
  @Column('text', { array: true }) variables!: string[];
}
