import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from './api-client.js';
import { eventually } from './eventually.js';

/** Requests whose number is enough for a median, and small enough for a short test. */
const REQUESTS = 25;
const PAUSE_MS = 10;

/** Requests of one workspace that go on until `stop` is called. */
export interface Attack {
  /** @returns how much was done for the workspace until now, in any unit */
  readonly done: () => number;
  readonly stop: () => Promise<unknown>;
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Sends list requests, one after the other, during an attack.
 * @returns how much is done for the attacker between the beginning and the end of the median request, in units of
 *   `done`. Unlike a duration, this does not depend on the speed or the load of the machine.
 */
export async function workBeside(api: ApiClient, start: () => Attack): Promise<number> {
  const attack = start();
  await eventually(() => expect(attack.done()).toBeGreaterThan(0));
  const work: number[] = [];
  for (let index = 0; index < REQUESTS; index += 1) {
    const before = attack.done();
    expect((await api.get('/contacts')).status).toBe(200);
    work.push(attack.done() - before);
    await sleep(PAUSE_MS);
  }
  await attack.stop();
  expect(Math.max(...work)).toBeGreaterThan(0);
  return median(work);
}
