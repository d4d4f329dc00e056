import { Counter } from 'prom-client';
import { declareGauge } from '@outreach/metrics';

export const accounts = declareGauge({
  name: 'outreach_email_accounts',
  help:
    'Email accounts of all workspaces, the same in every process: `active`, `limit_reached` (active, but nothing is left of ' +
    'the limit of the day) and `inactive` (by request, or because a login was refused)',
  labelNames: ['state'] as const,
});

export const mailboxes = declareGauge({
  name: 'outreach_mailboxes',
  help:
    'Mailboxes of all workspaces that are read, the same in every process: `read`, `failing` (the last run has failed) and ' +
    '`incomplete` (some of their mails cannot be read)',
  labelNames: ['state'] as const,
});

/** Accounts that this process has made inactive. */
export const accountsDisabled = new Counter({
  name: 'outreach_email_accounts_disabled_total',
  help: 'Email accounts that this process has made inactive because their login was refused, or a consent withdrawn',
});
