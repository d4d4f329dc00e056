import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a recurring piece of work runs next, once for all processes. */
@Entity('scheduled_tasks')
export class ScheduledTask {
  @PrimaryColumn('text') name!: string;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) next_run_at!: Date;
}
