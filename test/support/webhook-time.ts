import type { TestDatabase } from './test-database.js';

/** Simulates passing time: moves pauses, next attempts and creation times of all webhooks into the past. */
export async function passTime(database: TestDatabase, seconds: number): Promise<void> {
  await database.query(`UPDATE webhooks SET paused_until = paused_until - make_interval(secs => $1)`, [seconds]);
  await database.query(
    `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - make_interval(secs => $1),
       created_at = created_at - make_interval(secs => $1)`,
    [seconds],
  );
}
