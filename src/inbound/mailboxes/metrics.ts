import { Counter } from 'prom-client';

/** Mails that this process has skipped. */
export const mailsSkipped = new Counter({
  name: 'outreach_mailbox_mails_skipped_total',
  help: 'Mails in mailboxes that this process could not read three times; those behind them are read',
});
