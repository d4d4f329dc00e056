import type { ApiClient } from './api/api-client.js';
import { Checks } from './checks/checks.js';
import { EXPECTED_IMPORT } from './campaign/expected-values.js';
import type { Unsubscribers } from './mail/unsubscribers.js';
import type { MailCatcher } from './mail/mail-catcher.js';
import { prepare, type Prepared } from './campaign/preparation.js';
import { reportChecks, reportResult, showMails, showNextSteps } from './report.js';
import type { Terminal } from './terminal.js';
import { verifyMails, verifyPreparation, verifyRecords, verifyThreads } from './checks/verification.js';
import { watchCampaign } from './campaign/watch-campaign.js';

/** What the demo runs with: the service, the mail server and the terminal. */
export interface DemoContext {
  readonly api: ApiClient;
  readonly catcher: MailCatcher;
  readonly mail_host: string;
  /** The file to import. */
  readonly contacts: URL;
  readonly unsubscribers: Unsubscribers;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/**
 * Runs a campaign from an empty workspace to delivered mail, through the public API only.
 * @returns whether all results have the expected values
 * @throws DemoFailed if the campaign cannot continue
 */
export async function runJourney(context: DemoContext): Promise<boolean> {
  const { api, catcher, unsubscribers, terminal } = context;
  const prepared = await prepare(api, context.contacts, context.mail_host, terminal);
  unsubscribers.add(prepared.unsubscribing);
  const seconds = await runCampaign(context, prepared);
  const checks = new Checks();
  verifyPreparation(checks, prepared);
  await verifyRecords(checks, api, prepared);
  await verifyMails(checks, api, prepared, catcher);
  verifyThreads(checks, catcher.mails, unsubscribers);
  await showMails(
    terminal,
    catcher.mails.filter((mail) => mail.to === EXPECTED_IMPORT.first.email),
  );
  await report(context, prepared, seconds);
  const isRight = reportChecks(terminal, checks);
  if (isRight) showNextSteps(terminal);
  return isRight;
}

/** @returns seconds from the start of the campaign to the last message */
async function runCampaign(
  { api, catcher, terminal, signal }: DemoContext,
  { campaign_id: id }: Prepared,
): Promise<number> {
  const startedAt = performance.now();
  await api.post(`/campaigns/${id}/start`);
  terminal.line('Campaign started');
  await watchCampaign(api, id, terminal, signal);
  return ((catcher.mails.at(-1)?.at ?? startedAt) - startedAt) / 1000;
}

async function report({ api, terminal }: DemoContext, prepared: Prepared, seconds: number): Promise<void> {
  const campaign = `/campaigns/${prepared.campaign_id}`;
  const stats = await api.get(`${campaign}/stats`);
  reportResult(terminal, {
    imported: prepared.imported,
    first_touches: stats.number('data.steps.0.sent'),
    follow_ups: stats.number('data.steps.1.sent'),
    unsubscribed: stats.number('data.enrollments.unsubscribed'),
    bounced: stats.number('data.messages.bounced'),
    suppressed: await api.total(`${campaign}/messages?status=cancelled`),
    seconds,
  });
}
