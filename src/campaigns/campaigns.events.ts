import type { Sql } from '../platform/database/index.js';

/** Campaigns whose status has changed: a sub-select of their IDs. */
export interface CampaignsEvent {
  readonly campaigns: Sql;
}

/** One campaign. */
export interface CampaignEvent {
  readonly campaign_id: number;
}

/** A campaign whose limit of new contacts, or the days that it counts, have changed. */
export interface NewContactsChanged extends CampaignEvent {
  readonly has_limit: boolean;
  readonly had_limit: boolean;
}

/** One step. */
export interface StepEvent {
  readonly step_id: number;
}

/** The affected enrollments: a sub-select of their IDs. */
export interface EnrollmentsEvent {
  readonly enrollments: Sql;
}

/** Enrollments that were moved to a step. */
export interface EnrollmentsAtStep extends EnrollmentsEvent {
  readonly step_id: number;
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
    /** Published before the row is deleted, after those of its enrollments. */
    'campaign.deleted': CampaignEvent;
    /** The times at which the campaign may send have changed. */
    'campaign.rescheduled': CampaignEvent;
    /** How many new contacts it may write to on a day has changed. Its row is locked. */
    'campaign.new_contacts_changed': NewContactsChanged;
    /** Published before the row is deleted, under its lock, so that listeners can remove references to it. */
    'step.deleted': StepEvent;
    /** The required variables of the step may have changed. */
    'step.requirements_changed': StepEvent;
    /** The step has got other variants, or other weights. */
    'step.variants_changed': StepEvent;
    /** A hint: an active campaign may have due enrollments. */
    'enrollments.due': CampaignEvent;
    /** The current step was skipped; no message of a later step is queued yet. */
    'enrollments.skipped': EnrollmentsEvent;
    /** Running enrollments continue with another step now, whose message is not queued yet. */
    'enrollments.moved': EnrollmentsAtStep;
    /** Published before the rows are deleted, under their locks: what is reserved for their messages is returned. */
    'enrollments.removed': EnrollmentsEvent;
    /** These enrollments, which may be many, are about to end: published before their rows are locked. */
    'enrollments.ending': EnrollmentsEnded;
    /** No more messages are sent for these enrollments. Some of them may have ended before. */
    'enrollments.ended': EnrollmentsEnded;
  }
}
