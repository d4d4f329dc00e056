import type { Sql } from '../platform/database/index.js';

/** Campaigns whose status has moved: a sub-select of their IDs. */
export interface CampaignsEvent {
  readonly campaigns: Sql;
}

export interface CampaignEvent {
  readonly campaign_id: number;
}

/** The step that is about to be deleted. */
export interface StepDeleted {
  readonly step_id: number;
}

/** Enrollments that something happened to: a sub-select of their IDs. */
export interface EnrollmentsEvent {
  readonly enrollments: Sql;
}

export interface EnrollmentsEnded extends EnrollmentsEvent {
  readonly reason: 'unsubscribed' | 'replied';
}

/** What happens to campaigns, steps and enrollments; each is published inside the transaction that causes it. */
declare module '../platform/events/index.js' {
  interface DomainEventMap {
    'campaign.started': CampaignsEvent;
    'campaign.paused': CampaignsEvent;
    'campaign.completed': CampaignsEvent;
    /** The times at which the campaign may send have changed. */
    'campaign.rescheduled': CampaignEvent;
    /** Published before the row goes, under its lock: whoever refers to it lets go now. Nothing of it is sent any more. */
    'step.deleted': StepDeleted;
    /** A hint: an active campaign may have something due. */
    'enrollments.due': CampaignEvent;
    /** They have left their step unsent, and nothing of a later one is on its way yet. */
    'enrollments.skipped': EnrollmentsEvent;
    /** They send nothing more. Some may have ended before. */
    'enrollments.ended': EnrollmentsEnded;
  }
}
