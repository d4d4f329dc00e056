import { noTimes } from './contact-fields.js';
import { SAMPLE_CONTACT } from './contact-variables.js';
import type { ContactRecord } from './contact.view.js';

const SUBSCRIBED = new Date('2026-03-02T08:15:30.120Z');
const CHANGED = new Date('2026-03-09T14:02:11.875Z');

export const EXAMPLE_CONTACT: ContactRecord = {
  ...SAMPLE_CONTACT,
  ...noTimes(),
  workspace_id: 1,
  id: 4711,
  email: 'claire.martin@acme.example',
  external_id: 'crm-20817',
  first_name: 'Claire',
  last_name: 'Martin',
  company: 'Acme',
  company_id: 12,
  phone: '+33 1 70 18 99 00',
  job_title: 'Head of Operations',
  linkedin_url: 'https://www.linkedin.com/in/claire-martin',
  lifecycle_stage: 'lead',
  status: 'active',
  tracking_consent: 'granted',
  tracking_consent_at: SUBSCRIBED,
  tracking_consent_source: 'Form at the spring fair',
  custom_fields: { employees: 140, renewal: '2026-09-30' },
  subscribed_at: SUBSCRIBED,
  created_at: SUBSCRIBED,
  updated_at: CHANGED,
  tags: [{ id: 3, name: 'Decision maker', color: '#2f6f4f', created_at: SUBSCRIBED, updated_at: SUBSCRIBED }],
  lists: [{ id: 8, name: 'Spring fair', description: null, created_at: SUBSCRIBED, updated_at: SUBSCRIBED }],
};
