import { setTimeout as pause } from 'node:timers/promises';
import type { JsonResponse } from '../api/json-response.js';
import type { ApiClient } from '../api/api-client.js';
import { DemoFailed } from '../demo-failed.js';
import { EXPECTED_MESSAGES } from './expected-values.js';
import type { Terminal } from '../terminal.js';

const POLL_MS = 500;
const STALL_TIMEOUT_MS = 60_000;
const BAR_WIDTH = 20;

/**
 * Prints the progress of a campaign until it is completed.
 * @throws DemoFailed if there is no progress for a minute
 */
export async function watchCampaign(
  api: ApiClient,
  campaignId: number,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  let shown = '';
  let changedAt = performance.now();
  for (;;) {
    const stats = await api.get(`/campaigns/${campaignId}/stats`);
    const progress = progressOf(stats);
    if (progress !== shown) changedAt = performance.now();
    shown = progress;
    terminal.progress(progress);
    if (isDone(stats) && (await isCompleted(api, campaignId))) return;
    if (performance.now() - changedAt > STALL_TIMEOUT_MS) {
      throw new DemoFailed(`The campaign has made no progress for ${STALL_TIMEOUT_MS / 1000} s: ${progress}`);
    }
    await pause(POLL_MS, undefined, { signal });
  }
}

const isDone = (stats: JsonResponse): boolean =>
  ['enrollments.pending', 'enrollments.in_progress', 'messages.queued'].every(
    (path) => stats.number(`data.${path}`) === 0,
  );

const isCompleted = async (api: ApiClient, campaignId: number): Promise<boolean> =>
  (await api.get(`/campaigns/${campaignId}`)).text('data.status') === 'completed';

function progressOf(stats: JsonResponse): string {
  const first = stats.number('data.steps.0.sent');
  const followUps = stats.number('data.steps.1.sent');
  const filled = Math.min(BAR_WIDTH, Math.floor(((first + followUps) / EXPECTED_MESSAGES.all) * BAR_WIDTH));
  const bar = '#'.repeat(filled).padEnd(BAR_WIDTH, '.');
  const ends = `${stats.number('data.messages.bounced')} bounced, ${stats.number('data.messages.unsubscribed')} unsubscribed`;
  return `[${bar}] ${first} sent, ${followUps} follow-ups, ${ends}`;
}
