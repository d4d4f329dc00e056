import { enumValueOf, isOptOutColumn } from './enum-cells.js';

it.each([
  'Unsubscribed',
  'is_unsubscribed',
  'Unsubscribed from all email',
  'Portal Unsubscribe',
  'Email Opt Out',
  'Opted-out',
  'Has opted out of email',
  'Do not contact',
  'DO NOT EMAIL',
])('a column named %j says who has opted out', (name) => {
  expect(isOptOutColumn(name)).toBe(true);
});

it.each(['status', 'Email', 'unsubscribed_at', 'UNSUB_TIME', 'Unsubscribe link', 'Opt-in', 'Not', ''])(
  'a column named %j does not say who has opted out',
  (name) => {
    expect(isOptOutColumn(name)).toBe(false);
  },
);

it.each([
  ['status', 'Status', 'Unsubscribed', 'unsubscribed'],
  ['status', 'Stage', 'Do Not Contact', 'unsubscribed'],
  ['status', 'Status', 'DO_NOT_CONTACT', 'unsubscribed'],
  ['status', 'Status', 'BOUNCED', 'bounced'],
  ['status', 'Opted out', 'TRUE', 'unsubscribed'],
  ['status', 'Opted out', 'Yes', 'unsubscribed'],
  ['status', 'Opted out', 'FALSE', ''],
  ['status', 'Opted out', '2024-05-01', '2024-05-01'],
  ['status', 'Subscribed', 'TRUE', 'TRUE'],
  ['status', 'Status', 'Contacted', 'Contacted'],
  ['lifecycle_stage', 'Lifecycle Stage', 'Marketing Qualified Lead', 'marketing_qualified_lead'],
  ['lifecycle_stage', 'Lifecycle Stage', 'salesqualifiedlead', 'sales_qualified_lead'],
  ['lifecycle_stage', 'Stage', 'LEAD', 'lead'],
  ['lifecycle_stage', 'Stage', 'Do Not Contact', 'Do Not Contact'],
  ['tracking_consent', 'Consent', 'Granted', 'granted'],
] as const)('the field %s reads in the column %j the cell %j as %j', (field, column, cell, value) => {
  expect(enumValueOf(field, cell, column)).toBe(value);
});
