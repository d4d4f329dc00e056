import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The events of a workspace, in the order of their IDs. Its row is the lock under which events get their IDs. */
@Entity('event_feeds')
export class EventFeed {
  @PrimaryColumn('bigint') workspace_id!: number;
  /** The last ID that an event has got. */
  @Column('bigint', { default: 0 }) last_id!: number;
}
