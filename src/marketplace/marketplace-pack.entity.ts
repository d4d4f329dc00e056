import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { MarketplaceRecord } from './marketplace-record.js';
import { MarketplaceTemplate } from './marketplace-template.entity.js';

/** A group of ready-made templates, for all workspaces. */
@Entity('marketplace_packs')
@Unique('marketplace_pack_slug', ['slug'])
@Check('marketplace_pack_locale_known', `locale IN ('fr', 'en')`)
@Check('marketplace_pack_origin_known', `origin IN ('shipped', 'operator')`)
export class MarketplacePack extends MarketplaceRecord {}

/** The templates of a pack, in the order in which they are sent. */
@Entity('marketplace_pack_templates')
@Index('marketplace_pack_templates_by_template', ['template_id'])
@ForeignKey(() => MarketplacePack, ['pack_id'], ['id'], { onDelete: 'CASCADE' })
@ForeignKey(() => MarketplaceTemplate, ['template_id'], ['id'], { onDelete: 'CASCADE' })
export class MarketplacePackTemplate {
  @PrimaryColumn('bigint') pack_id!: number;
  @PrimaryColumn('int') position!: number;
  @Column('bigint') template_id!: number;
}
