import { CreateDateColumn, PrimaryColumn, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { Sql } from '../database/index.js';

/**
 * A record that belongs to one workspace. Its primary key begins with the workspace, and so do all foreign keys to it:
 * a link between two tenants cannot be stored.
 */
export abstract class WorkspaceEntity {
  @PrimaryColumn('bigint', { update: false }) workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) updated_at!: Date;
}

type Owned = 'workspace_id' | 'id' | 'created_at' | 'updated_at';

/**
 * What a caller may write of an entity: never its workspace, its ID or its dates. A piece of SQL stands for the value
 * that it computes; in an update it may name the row as `record`.
 */
export type Values<T> = { readonly [K in Exclude<keyof T, Owned>]?: T[K] | Sql } & { readonly [K in Owned]?: never };

/** What a caller may look for: equality on any column but the workspace, which the scope adds. */
export type Filter<T> = { readonly [K in Exclude<keyof T, 'workspace_id'>]?: T[K] } & {
  readonly workspace_id?: never;
};

/** The class of an entity. */
export type EntityClass<T extends WorkspaceEntity> = new () => T;

/** `EmailAccount` → `email account`. */
export const nounOf = (entity: { name: string }): string =>
  entity.name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
