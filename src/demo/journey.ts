import type { Api } from './api.js';
import { Checks } from './checks.js';
import { FILE } from './expectations.js';
import type { Leavers } from './leavers.js';
import type { MailCatcher } from './mail-catcher.js';
import { prepare, type Prepared } from './preparation.js';
import { reportChecks, reportOutcome, showMails } from './report.js';
import type { Terminal } from './terminal.js';
import { verifyMails, verifyPreparation, verifyRecords, verifyThreads } from './verification.js';
import { watch } from './watch.js';

/** The two ends that the journey runs between: the service and the mail server, and who looks on. */
export interface Scene {
  readonly api: Api;
  readonly catcher: MailCatcher;
  readonly mail_host: string;
  readonly leavers: Leavers;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/**
 * From an empty workspace to a delivered campaign, through the public API alone.
 * @returns whether every figure is what it must be
 * @throws DemoFailed where it cannot go on
 */
export async function travel(scene: Scene): Promise<boolean> {
  const { api, catcher, leavers, terminal } = scene;
  const prepared = await prepare(api, scene.mail_host, terminal);
  leavers.expect(prepared.leaving);
  const seconds = await send(scene, prepared);
  const checks = new Checks();
  verifyPreparation(checks, prepared);
  await verifyRecords(checks, api, prepared);
  await verifyMails(checks, api, prepared, catcher);
  verifyThreads(checks, catcher.mails, leavers);
  await showMails(
    terminal,
    catcher.mails.filter((mail) => mail.to === FILE.first.email),
  );
  await report(scene, prepared, seconds);
  return reportChecks(terminal, checks);
}

/** @returns seconds from the start of the campaign to the last message */
async function send({ api, catcher, terminal, signal }: Scene, { campaign_id: id }: Prepared): Promise<number> {
  const startedAt = Date.now();
  await api.post(`/campaigns/${id}/start`);
  terminal.line('Campaign started');
  await watch(api, id, terminal, signal);
  return ((catcher.mails.at(-1)?.at ?? startedAt) - startedAt) / 1000;
}

async function report({ api, terminal }: Scene, prepared: Prepared, seconds: number): Promise<void> {
  const campaign = `/campaigns/${prepared.campaign_id}`;
  const stats = await api.get(`${campaign}/stats`);
  reportOutcome(terminal, {
    imported: prepared.imported,
    first_touches: stats.number('data.steps.0.sent'),
    follow_ups: stats.number('data.steps.1.sent'),
    unsubscribed: stats.number('data.enrollments.unsubscribed'),
    bounced: stats.number('data.messages.bounced'),
    suppressed: await api.total(`${campaign}/messages?status=cancelled`),
    seconds,
  });
}
