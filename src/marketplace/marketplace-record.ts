import { Column, CreateDateColumn, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** The language of a template or pack of the marketplace. */
export const LOCALES = [
  /** French. */
  'fr',
  /** English. */
  'en',
] as const;
/** The language of a marketplace record. */
export type Locale = (typeof LOCALES)[number];

/**
 * Who published a record: the service, with the catalogue of each version, or the operator, with a command. A new
 * version does not change an operator's records, even if their slug is in the shipped catalogue.
 */
export type Origin = 'shipped' | 'operator';

/** The common columns of templates and packs in the marketplace. They belong to no workspace. */
export abstract class MarketplaceRecord {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column('text') description!: string;
  @Column('text') locale!: Locale;
  @Column('boolean') is_featured!: boolean;
  @Column('boolean') is_published!: boolean;
  @Column('text') origin!: Origin;
  @Column('bigint', { default: 0 }) downloads_count!: number;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) updated_at!: Date;
}
