import pg from 'pg';
import { register } from 'prom-client';
import { DataSource } from 'typeorm';
import { Log } from '@outreach/logging';
import { checkErasures } from '../../src/app/doctor/due-work.cross-tenant.js';
import { ErasureReports } from '../../src/personal-data/erasure/waiting-erasures.cross-tenant.js';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

describe('an erasure that waits', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let session: pg.Client;
  beforeEach(async () => {
    session = new pg.Client({ connectionString: service.database.url, application_name: 'a forgotten session' });
    await session.connect();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await session.end();
    await service.database.query('DELETE FROM erasures');
  });

  const reports = () => service.app.get(ErasureReports, { strict: false });
  const doctor = async () => {
    const findings = await checkErasures(service.app.get(DataSource, { strict: false })).run();
    return findings.map(({ status, message, advice }) => ({ status, message, advice }));
  };
  const sampled = async (name: string) => (await register.getSingleMetric(name)?.get())?.values[0]?.value;
  /** An erasure that was requested ten minutes ago, and whose last search is due. */
  async function erased(client?: ApiClient): Promise<void> {
    const api = client ?? (await service.client());
    const { id } = await new Given(api, service.database).contact();
    expect((await api.post(`/contacts/${id}/erase`)).status).toBe(204);
    await service.database.query(
      `UPDATE erasures SET requested_at = now() - interval '10 minutes', next_run_at = now(), is_last_search = TRUE
       WHERE completed_at IS NULL`,
    );
  }
  const warned = async (): Promise<unknown[][]> => {
    const warn = jest.spyOn(service.app.get(Log, { strict: false }), 'warn').mockClear();
    await reports().report();
    return warn.mock.calls.filter(([message]) => message.startsWith('erasures wait'));
  };

  const NONE = { status: 'ok', message: 'none waits for a transaction or an import', advice: null };

  it('for an import that began before it is a warning of doctor and in the log, until that has ended', async () => {
    const api = await service.client();
    const form = new FormData();
    form.append('file', new Blob(['email\na@example.com\n']), 'contacts.csv');
    const { data } = await api.post('/contacts/import', form, { prefer: 'respond-async' });
    await erased(api);
    expect(await doctor()).toEqual([
      {
        status: 'warning',
        message: expect.stringMatching(/^erasures that wait for imports: 1 \(the first one for \d{3,} s\)$/),
        advice: expect.stringContaining('GET /v1/imports'),
      },
    ]);
    expect(await warned()).toEqual([
      [expect.any(String), expect.objectContaining({ for_imports: 1, for_transactions: 0 })],
    ]);
    expect((await api.post(`/imports/${data.id}/cancel`)).status).toBe(200);
    expect([await doctor(), await warned()]).toEqual([[NONE], []]);
  });

  it('for a prepared transaction is an error of doctor that names it', async () => {
    const id = `forgotten ${new URL(service.database.url).pathname.slice(-6)}`;
    await session.query('BEGIN');
    await session.query('SELECT pg_current_xact_id()');
    await session.query(`PREPARE TRANSACTION '${id}'`);
    try {
      await erased();
      expect(await doctor()).toEqual([
        {
          status: 'error',
          message: expect.stringContaining(`the oldest one is a prepared transaction (${id}), open for`),
          advice: expect.stringMatching(/^Commit it or roll it back\./),
        },
      ]);
    } finally {
      await session.query(`ROLLBACK PREPARED '${id}'`);
    }
    expect(await doctor()).toEqual([NONE]);
  });

  it('for a transaction that is open is an error of doctor, a warning in the log, and open in the metrics', async () => {
    await session.query('BEGIN');
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid, pg_current_xact_id()');
    const pid = Number(rows[0]?.pid);
    await erased();
    expect(await doctor()).toEqual([
      {
        status: 'error',
        message: expect.stringMatching(
          new RegExp(
            `^erasures that wait for an open transaction: 1 .* the session ${pid} \\(a forgotten session\\), open for`,
          ),
        ),
        advice: expect.stringContaining(`pg_terminate_backend(${pid})`),
      },
    ]);
    expect(await warned()).toEqual([
      [
        expect.any(String),
        expect.objectContaining({ for_transactions: 1, transaction: expect.objectContaining({ pid }) }),
      ],
    ]);
    await reports().sample();
    expect(await sampled('outreach_erasures_open')).toBe(1);
    expect(await sampled('outreach_erasures_oldest_seconds')).toBeGreaterThanOrEqual(600);
    await session.query('COMMIT');
    expect([await doctor(), await warned()]).toEqual([[NONE], []]);
  });
});
