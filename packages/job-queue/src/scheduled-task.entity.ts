import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The time of a scheduled task's next run, for all processes together. */
@Entity('scheduled_tasks')
export class ScheduledTask {
  @PrimaryColumn('text') name!: string;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) next_run_at!: Date;
}
