import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './answer.js';
import type { Api } from './api.js';
import { DemoFailed } from './demo-failed.js';
import { SENT } from './expectations.js';
import type { Terminal } from './terminal.js';

const LOOK_MS = 500;
const STANDSTILL_MS = 60_000;
const BAR = 30;

/**
 * Shows how the campaign gets on until it is completed.
 * @throws DemoFailed when nothing has moved for a minute
 */
export async function watch(api: Api, campaignId: number, terminal: Terminal, signal: AbortSignal): Promise<void> {
  let shown = '';
  let movedAt = performance.now();
  for (;;) {
    const stats = await api.get(`/campaigns/${campaignId}/stats`);
    const now = progressOf(stats);
    if (now !== shown) movedAt = performance.now();
    shown = now;
    terminal.progress(now);
    if (isDone(stats) && (await isCompleted(api, campaignId))) return;
    if (performance.now() - movedAt > STANDSTILL_MS) {
      throw new DemoFailed(`The campaign has stood still for ${STANDSTILL_MS / 1000} s: ${now}`);
    }
    await pause(LOOK_MS, undefined, { signal });
  }
}

const isDone = (stats: Answer): boolean =>
  ['enrollments.pending', 'enrollments.in_progress', 'messages.queued'].every(
    (path) => stats.number(`data.${path}`) === 0,
  );

const isCompleted = async (api: Api, campaignId: number): Promise<boolean> =>
  (await api.get(`/campaigns/${campaignId}`)).text('data.status') === 'completed';

function progressOf(stats: Answer): string {
  const first = stats.number('data.steps.0.sent');
  const followUps = stats.number('data.steps.1.sent');
  const filled = Math.min(BAR, Math.floor(((first + followUps) / SENT.all) * BAR));
  const bar = '#'.repeat(filled).padEnd(BAR, '.');
  const ends = `${stats.number('data.messages.bounced')} bounced, ${stats.number('data.messages.unsubscribed')} unsubscribed`;
  return `[${bar}] ${first} sent, ${followUps} follow-ups, ${ends}`;
}
