import type { Sql } from '../platform/database/index.js';

/** Campaigns whose status has changed: a sub-select of their IDs. */
export interface CampaignsEvent {
  readonly campaigns: Sql;
}

/** One campaign. */
export interface CampaignEvent {
  readonly campaign_id: number;
}

/** The step that is about to be deleted. */
export interface StepDeleted {
  readonly step_id: number;
}

/** The affected enrollments: a sub-select of their IDs. */
export interface EnrollmentsEvent {
  readonly enrollments: Sql;
}

/** Enrollments that have ended, and why. */
export interface EnrollmentsEnded extends EnrollmentsEvent {
  readonly reason: 'unsubscribed' | 'replied';
}

/** Events of campaigns, steps and enrollments. Each is published inside the transaction that causes it. */
declare module '../platform/events/index.js' {
  interface DomainEventMap {
    'campaign.started': CampaignsEvent;
    'campaign.paused': CampaignsEvent;
    'campaign.completed': CampaignsEvent;
    /** The times at which the campaign may send have changed. */
    'campaign.rescheduled': CampaignEvent;
    /** Published before the row is deleted, under its lock, so that listeners can remove references to it. */
    'step.deleted': StepDeleted;
    /** A hint: an active campaign may have due enrollments. */
    'enrollments.due': CampaignEvent;
    /** The current step was skipped; no message of a later step is queued yet. */
    'enrollments.skipped': EnrollmentsEvent;
    /** No more messages are sent for these enrollments. Some of them may have ended before. */
    'enrollments.ended': EnrollmentsEnded;
  }
}
