import type { ApiClient } from '../support/api-client.js';

/** Requests of each measurement: enough for a median, few enough for a short test. */
const REQUESTS = 15;
const ROUNDS = 3;

/** Requests of the attacker that go on until `stop` is called. */
export interface Attack {
  readonly stop: () => Promise<unknown>;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** @returns how many milliseconds each of some list requests took, one after the other */
export async function listTimes(api: ApiClient): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < REQUESTS; index += 1) {
    const start = performance.now();
    expect((await api.get('/contacts')).status).toBe(200);
    times.push(performance.now() - start);
  }
  return times;
}

/**
 * Measures list requests alternately with and without an attack, so that other load of the machine affects both.
 * @returns how many times as long the median request takes during the attack
 */
export async function slowdown(api: ApiClient, start: () => Attack): Promise<number> {
  const control: number[] = [];
  const attacked: number[] = [];
  await listTimes(api);
  for (let round = 0; round < ROUNDS; round += 1) {
    control.push(...(await listTimes(api)));
    const attack = start();
    attacked.push(...(await listTimes(api)));
    await attack.stop();
  }
  return median(attacked) / median(control);
}
