import { CreateDateColumn, PrimaryColumn, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { Sql } from '../database/index.js';

/**
 * A record that belongs to one workspace. Its primary key begins with the workspace, and so do all foreign keys to it,
 * so that a link between two tenants cannot be stored.
 */
export abstract class WorkspaceEntity {
  @PrimaryColumn('bigint', { update: false }) workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) updated_at!: Date;
}

type Owned = 'workspace_id' | 'id' | 'created_at' | 'updated_at';

/**
 * The columns that a caller may write: not the workspace, the ID or the dates. An SQL fragment computes the value; in
 * an update, it may refer to the row as `record`.
 */
export type ColumnValues<T> = { readonly [K in Exclude<keyof T, Owned>]?: T[K] | Sql } & {
  readonly [K in Owned]?: never;
};

/** Equality on any columns except the workspace, which the scope adds. `null` finds rows without a value. */
export type ColumnFilter<T> = { readonly [K in Exclude<keyof T, 'workspace_id'>]?: T[K] } & {
  readonly workspace_id?: never;
};

/** The class of an entity. */
export type EntityClass<T extends WorkspaceEntity> = new () => T;

/** @returns the name of an entity for a message: `email account` for `EmailAccount` */
export const nounOf = (entity: { name: string }): string =>
  entity.name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
