import type { CompletedAttempt } from './delivery-results.queries.js';
import { WEBHOOK_TRANSITIONS, type WebhookState } from '../webhook.entity.js';
import { failureEffect } from './failure-effect.js';

const SCHEDULES = { retries: [5, 300], probes: [5, 30, 120] };
const LAST_ATTEMPT = 3;

const webhookWith = (failures: number, isActive = true) => ({
  target_digest: 'present',
  is_active: isActive,
  failure_count: failures,
});

const effect = (
  webhook: ReturnType<typeof webhookWith>,
  made: object = {},
  attempt = 1,
  event = 'contact.created',
  retries = SCHEDULES.retries,
) => {
  const failed: CompletedAttempt = {
    delivery: { id: 1, webhook_id: 1, event, attempt },
    target_digest: 'present',
    result: { status_code: 500, success: false, response: '' },
    ...made,
  };
  return failureEffect({ ...SCHEDULES, retries }, webhook, failed, () => 0.5);
};

describe('failureEffect', () => {
  it.each([
    [0, 5],
    [1, 30],
    [8, 120],
  ])('counts a failure after %i in a row, and pauses the webhook for %i seconds', (failures, pause) => {
    expect(effect(webhookWith(failures))).toEqual({
      kind: 'paused',
      retry_in: 5,
      health: { failure_count: failures + 1, is_active: true, pause },
    });
  });

  it('disables the webhook at the tenth failure in a row, and schedules the delivery as usual', () => {
    expect(effect(webhookWith(9), {}, 2)).toEqual({
      kind: 'disabled',
      retry_in: 300,
      health: { failure_count: 10, is_active: false, pause: 0 },
    });
  });

  it('counts the failures of an inactive webhook, which is neither paused nor disabled again', () => {
    for (const failures of [2, 9, 10])
      expect(effect(webhookWith(failures, false))).toEqual({
        kind: 'failed',
        retry_in: 5,
        health: { failure_count: failures + 1, is_active: false, pause: 0 },
      });
  });

  it('changes the state of a webhook only as its transitions allow', () => {
    const stateOf = (failures: number, isActive: boolean, pause: number): WebhookState =>
      !isActive ? 'inactive' : pause > 0 ? 'paused' : failures > 0 ? 'failing' : 'healthy';
    for (const isActive of [true, false])
      for (let failures = 0; failures < 12; failures += 1)
        for (const pauseBefore of failures > 0 ? [0, 5] : [0]) {
          const before = stateOf(failures, isActive, pauseBefore);
          const { health } = effect(webhookWith(failures, isActive));
          const after = health ? stateOf(health.failure_count, health.is_active, health.pause) : before;
          expect([before, ...WEBHOOK_TRANSITIONS[before]]).toContain(after);
        }
  });

  it('ends the delivery after its last attempt', () => {
    expect(effect(webhookWith(0), {}, LAST_ATTEMPT).retry_in).toBeUndefined();
  });

  it.each([
    [1, 0],
    [2, 0],
    [LAST_ATTEMPT, undefined],
  ])(
    'says nothing about a webhook that has another URL or secret; after attempt %i the next is in %s s',
    (attempt, retryIn) => {
      for (const failures of [0, 8, 9, 10])
        for (const isActive of [true, false])
          expect(effect(webhookWith(failures, isActive), { target_digest: 'former' }, attempt)).toEqual({
            kind: 'superseded',
            retry_in: retryIn,
          });
    },
  );

  it('repeats no attempt if retries are off, with any URL', () => {
    for (const digest of ['present', 'former'])
      expect(effect(webhookWith(0), { target_digest: digest }, 1, 'contact.created', []).retry_in).toBeUndefined();
  });

  it('does not wait for what the receiver at the former URL has asked for', () => {
    const result = { status_code: 503, success: false, response: '', retry_after: 60 };
    expect(effect(webhookWith(0), { target_digest: 'former', result }).retry_in).toBe(0);
    expect(effect(webhookWith(0), { result })).toMatchObject({ retry_in: 10, health: { pause: 10 } });
  });

  it('ends a redelivered test, with any URL', () => {
    for (const digest of ['present', 'former'])
      expect(effect(webhookWith(9), { target_digest: digest }, 1, 'webhook.test')).toEqual({ kind: 'failed' });
  });
});
