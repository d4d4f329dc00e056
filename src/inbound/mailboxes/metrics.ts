import { Counter } from 'prom-client';

/** Mails that this process has passed over. */
export const mailsPassedOver = new Counter({
  name: 'outreach_mailbox_mails_passed_over_total',
  help: 'Mails in mailboxes that this process could not read three times; those behind them are read',
});
