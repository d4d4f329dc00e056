import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The key of the hashes in `contact_refusals` and `blacklist_entries`, one for all workspaces. It does not rotate, because
 * hashes cannot be made again with another key. It is encrypted with a key of `ENCRYPTION_KEY`, which rotates.
 */
@Entity('refusal_key')
@Check('refusal_key_once', 'id = 1')
export class HashKey {
  @PrimaryColumn('int', { primaryKeyConstraintName: 'refusal_key_pk' }) id!: number;
  @Column('text') key_encrypted!: string;
}
