import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsTo, WorkspaceEntity } from '../../platform/tenancy/index.js';
import type { ImportOptions } from '../import/import-options.js';
import type { ReportedError } from '../import/import-tally.js';

/** The statuses of an import that has not ended. */
export const OPEN_STATUSES = [
  /** It waits for a worker. */
  'pending',
  /** A worker imports it. */
  'running',
] as const;
/** The status of an import. */
export const IMPORT_STATUSES = [
  ...OPEN_STATUSES,
  /** It was imported; rows with errors are left out. */
  'completed',
  /** Nothing was imported; `reason` says why. */
  'failed',
  /** Nothing was imported, by request. */
  'cancelled',
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/**
 * An import of contacts, in the background or within its request, for 30 days. Its file is stored only as long as a worker
 * needs it.
 */
@Entity('imports')
@Check('import_status_known', `status IN ('pending', 'running', 'completed', 'failed', 'cancelled')`)
@Check('import_progress_range', 'progress BETWEEN 0 AND 1')
@Index('imports_by_creation', ['workspace_id', 'created_at', 'id'])
@Index('imports_open', ['workspace_id', 'id'], { where: `status IN ('pending', 'running')` })
@Index('imports_by_age', ['created_at'])
export class Import extends WorkspaceEntity {
  @Column('text') status!: ImportStatus;
  @Column('text', { nullable: true }) file_name!: string | null;
  @Column('boolean', { default: false }) dry_run!: boolean;
  /** From 0 to 1. */
  @Column('real', { default: 0 }) progress!: number;
  @Column('int', { default: 0 }) total!: number;
  @Column('int', { default: 0 }) imported!: number;
  @Column('int', { default: 0 }) updated!: number;
  @Column('int', { default: 0 }) skipped!: number;
  @Column('int', { default: 0 }) failed!: number;
  @Column('jsonb', { default: () => `'[]'` }) errors!: readonly ReportedError[];
  /** Why it failed as a whole. */
  @Column('text', { nullable: true }) reason!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) started_at!: Date | null;
  /** When it ended, in any way. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) completed_at!: Date | null;
  /** What the worker needs beside the file; null once it has ended. */
  @Column('jsonb', { nullable: true, select: false }) options!: ImportOptions | null;
  /** The size of the stored file. */
  @Column('int', { default: 0, select: false }) file_bytes!: number;
  /** How often a worker has taken it; not how often it had to wait for a place. */
  @Column('smallint', { default: 0, select: false }) attempts!: number;
  @Column('uuid', { nullable: true, select: false }) leased_by!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false }) lease_until!: Date | null;
  /** The first line of the CSV of refused rows. */
  @Column('text', { nullable: true, select: false }) refused_header!: string | null;
  /** The size of the stored refused rows, 0 once they have been deleted to make room. */
  @Column('int', { default: 0, select: false }) refused_bytes!: number;
}

/** A part of the file of an import that has not ended. */
@Entity('import_file_parts')
@BelongsTo(() => Import, 'import_id')
export class ImportFilePart {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') import_id!: number;
  /** From 0. */
  @PrimaryColumn('int') position!: number;
  @Column('bytea') content!: Buffer;
}

/** Refused rows of an import: a part of a CSV that ends with a complete row. */
@Entity('import_refused_rows')
@BelongsTo(() => Import, 'import_id')
export class ImportRefusedRows {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') import_id!: number;
  /** From 0. */
  @PrimaryColumn('int') position!: number;
  @Column('text') content!: string;
}
