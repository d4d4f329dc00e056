import type { CampaignRecord } from './campaign.view.js';

const CREATED = new Date('2026-03-02T09:00:00.000Z');
const STARTED = new Date('2026-03-03T07:30:12.480Z');
const ENDED = new Date('2026-03-17T16:45:03.211Z');

/** An active campaign, for the API reference. Below it is one for each other status with a public event. */
export const EXAMPLE_ACTIVE: CampaignRecord = {
  workspace_id: 1,
  id: 21,
  name: 'Spring fair follow-up',
  description: 'Visitors of our stand',
  status: 'active',
  email_account_ids: [5],
  schedule: {
    timezone: 'Europe/Paris',
    days: [1, 2, 3, 4, 5],
    start: '09:00',
    end: '18:00',
    holidays: ['2026-05-01'],
    contact_timezone: false,
  },
  track_opens: true,
  track_clicks: true,
  stop_on_reply: true,
  unsubscribe_footer: true,
  language: 'en',
  on_unknown: 'resend',
  stop_at_bounce_rate: 0.1,
  stop_at_complaint_rate: 0.003,
  max_new_contacts_per_day: 50,
  new_contacts_from: null,
  min_days_since_last_message: 3,
  skip_running_elsewhere: false,
  stop_company_on_reply: false,
  auto_enroll: { list_ids: [8], segment_ids: [9] },
  auto_enrolls: true,
  steps_count: 3,
  contacts_count: 240,
  started_at: STARTED,
  paused_at: null,
  pause_reason: null,
  needs_account: false,
  completed_at: null,
  created_at: CREATED,
  updated_at: STARTED,
};

export const EXAMPLE_PAUSED: CampaignRecord = {
  ...EXAMPLE_ACTIVE,
  status: 'paused',
  paused_at: ENDED,
  updated_at: ENDED,
};

export const EXAMPLE_COMPLETED: CampaignRecord = {
  ...EXAMPLE_ACTIVE,
  status: 'completed',
  auto_enroll: null,
  auto_enrolls: false,
  completed_at: ENDED,
  updated_at: ENDED,
};
