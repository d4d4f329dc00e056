import { Column, Entity, Index } from 'typeorm';
import { WorkspaceEntity } from '../../platform/tenancy/index.js';
import type { SearchCursor } from './search-cursor.js';

/**
 * A request to erase a contact. It stays as evidence that it was carried out, and has no personal data: what traces are
 * searched for is encrypted, and deleted with the last search.
 */
@Entity('erasures')
@Index('erasures_of_contact', ['workspace_id', 'contact_id'], { where: 'completed_at IS NULL' })
@Index('erasures_open', ['next_run_at'], { where: 'completed_at IS NULL' })
export class Erasure extends WorkspaceEntity {
  /** The contact, which does not exist any more. */
  @Column('bigint') contact_id!: number;
  /** By the real time; null for erasures of earlier versions. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false }) requested_at!: Date | null;
  /** The last search comes after all transactions with smaller IDs. Null for erasures of earlier versions. */
  @Column({ type: 'bigint', nullable: true, select: false }) horizon!: number | null;
  /** When a worker searches for the next traces. */
  @Column({ type: 'timestamptz', precision: 3 }) next_run_at!: Date;
  /** Whether that is the last search: no transaction that began before the erasure is still writing then. */
  @Column('boolean', { default: false }) is_last_search!: boolean;
  /** Where the search goes on; null for its beginning. */
  @Column('jsonb', { nullable: true, select: false }) search_cursor!: SearchCursor | null;
  /** When the last search found nothing more. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) completed_at!: Date | null;
  /** The values of the contact that are searched for; null once it is completed. */
  @Column('text', { nullable: true, select: false }) subject_encrypted!: string | null;
}
