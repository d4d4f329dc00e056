import { loadConfig } from '../../src/app/settings.js';
import { FAILURES_TO_DISABLE, type RetrySchedules } from '@outreach/webhook-delivery';
import { type Scenario, SimulatedWebhook } from './simulated-webhook.js';

const config = loadConfig({});
const schedules: RetrySchedules = { retries: config.webhook_retry_schedule, probes: config.webhook_probe_schedule };
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const RATES = [0.001, 0.01, 0.1, 1, 10, 50];
const SEEDS = [1, 2];

/** Returns pseudo-random numbers that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** The minimum and the maximum of the jitter, and some values in between. */
const RANDOMS = [() => 0, () => 0.999, ...SEEDS.map(seeded)];

function simulate(scenario: Partial<Scenario>): SimulatedWebhook {
  return new SimulatedWebhook({
    schedules,
    random: () => 0.5,
    events: { rate: 1, from: 0, until: HOUR },
    outage: { from: Infinity, until: Infinity },
    succeeds_in: 1,
    fails_in: 1,
    until: HOUR,
    ...scenario,
  }).run();
}

describe('an outage of the receiver', () => {
  // The receiver refuses at once, refuses slowly, or never responds.
  it.each(RATES.flatMap((rate) => [0.01, 1, 10].map((failsIn) => [rate, failsIn] as const)))(
    'of five minutes causes at most five failures, with %d events per second and failures that take %d s',
    (rate, failsIn) => {
      for (const random of RANDOMS) {
        const webhook = simulate({
          random,
          events: { rate, from: 0, until: 30 * MINUTE },
          outage: { from: 10 * MINUTE, until: 15 * MINUTE },
          fails_in: failsIn,
          until: HOUR,
        });
        expect(webhook.failed).toBeLessThanOrEqual(5);
        expect(webhook.is_active).toBe(true);
        expect([webhook.lost, webhook.given_up]).toEqual([0, 0]);
        expect(webhook.delivered).toBeGreaterThan(0);
      }
    },
  );

  it('of five minutes delays deliveries but drops none', () => {
    const webhook = simulate({
      events: { rate: 1, from: 0, until: 30 * MINUTE },
      outage: { from: 10 * MINUTE, until: 15 * MINUTE },
      until: DAY,
    });
    expect(webhook.delivered).toBe(30 * MINUTE);
  });

  it.each(RATES)(
    'that does not end disables the webhook after exactly ten attempts, with %d events per second',
    (rate) => {
      for (const random of RANDOMS) {
        const webhook = simulate({
          random,
          events: { rate, from: 0, until: 50 / rate },
          outage: { from: 0, until: Infinity },
          until: 30 * DAY,
        });
        expect([webhook.is_active, webhook.failed]).toEqual([false, FAILURES_TO_DISABLE]);
      }
    },
  );

  it('does not disable the webhook because of a single event', () => {
    const webhook = simulate({
      events: { rate: 1, from: 0, until: 1 },
      outage: { from: 0, until: Infinity },
      until: 30 * DAY,
    });
    expect([webhook.is_active, webhook.failed, webhook.given_up]).toEqual([true, 8, 1]);
  });

  it('that begins while there are no events causes failures of one attempt at a time', () => {
    const webhook = simulate({
      events: { rate: 100, from: 11 * MINUTE, until: 12 * MINUTE },
      outage: { from: 10 * MINUTE, until: 15 * MINUTE },
      until: 20 * MINUTE,
    });
    expect(webhook.failed).toBeLessThanOrEqual(4);
    expect(webhook.is_active).toBe(true);
  });
});
