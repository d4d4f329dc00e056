import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Contact } from '../../../contacts/index.js';
import { BelongsTo } from '../../../platform/tenancy/index.js';

/** A contact who is away, as an automatic reply says. Nothing of a campaign is sent meanwhile, see `absence.ts`. */
@Entity('absences')
@BelongsTo(() => Contact, 'contact_id')
export class Absence {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') contact_id!: number;
  /** The day on which the contact is back, as `YYYY-MM-DD`. Messages wait until the day after it. */
  @Column('date') returns_on!: string;
  /** The absence ends at this time in any case. */
  @Column({ type: 'timestamptz', precision: 3 }) ends_at!: Date;
  /** When the reply that reported it was received. Earlier replies do not change it. */
  @Column({ type: 'timestamptz', precision: 3 }) reported_at!: Date;
}
