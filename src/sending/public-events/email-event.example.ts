import type { EmailBotActivityRow, EmailBouncedRow, EmailClickedRow, EmailEventRow } from './email-event.view.js';

/** Example rows for the API reference. */
export const EXAMPLE_EMAIL: EmailEventRow = {
  message_id: 'AAEAAhVb3kq0.fX2m9Zs@acme-events.example',
  campaign_id: 21,
  step_id: 63,
  variant_id: null,
  enrollment_id: 10482,
  contact_id: 4711,
  email: 'claire.martin@acme.example',
  email_account_id: 5,
  subject: 'Good to meet you, Claire',
  occurred_at: new Date('2026-03-03T09:14:27.052Z'),
};

export const EXAMPLE_CLICKED: EmailClickedRow = { ...EXAMPLE_EMAIL, url: 'https://acme-events.example/spring/slides' };

export const EXAMPLE_BOT_ACTIVITY: EmailBotActivityRow = {
  ...EXAMPLE_CLICKED,
  type: 'clicked',
  bot_reason: 'many_links',
};

export const EXAMPLE_BOUNCED: EmailBouncedRow = {
  ...EXAMPLE_EMAIL,
  bounce: { type: 'hard', code: '5.1.1', message: '550 5.1.1 No such user here' },
};
