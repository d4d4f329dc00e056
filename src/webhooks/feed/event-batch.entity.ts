import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Events of one name that one transaction has published, at most a hundred, to be read with `GET /events`. The row is
 * inserted by that transaction without `first_id`; whoever reads the events numbers the rows that are committed.
 * Partitioned by day (UTC), so that old events are deleted by dropping a partition.
 */
@Entity('event_batches')
@Index('event_batches_new', ['workspace_id', 'id'], { where: 'first_id IS NULL' })
@Index('event_batches_in_order', ['workspace_id', 'first_id'], { where: 'first_id IS NOT NULL' })
@Index('event_batches_by_event', ['workspace_id', 'event', 'first_id'], { where: 'first_id IS NOT NULL' })
export class EventBatch {
  @PrimaryColumn('bigint') workspace_id!: number;
  /** Ascends in the order of the inserts, not in that of the commits. */
  @PrimaryGeneratedColumn('increment', { type: 'bigint' }) id!: number;
  @PrimaryColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
  /** The name of the events. */
  @Column('text') event!: string;
  /** How many events there are. */
  @Column('smallint') size!: number;
  /** A JSON array with the `data` of each event. Type `text`, so that nothing parses it before it is read. */
  @Column('text') data!: string;
  /** The contacts that the events tell of, each once. */
  @Column('bigint', { array: true, default: '{}' }) contact_ids!: number[];
  /** The ID of the first event; the others follow without gaps. Null until the batch is numbered. */
  @Column({ type: 'bigint', nullable: true }) first_id!: number | null;
}
