import { Counter } from 'prom-client';

/** Mails that this process could not read three times. */
export const failedMails = new Counter({
  name: 'outreach_mailbox_mails_failed_total',
  help: 'Mails in mailboxes that this process could not read three times; those behind them are read',
});
