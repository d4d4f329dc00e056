import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { CommandRunner } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const RELAY = '550 relay not permitted';
/** What servers have said of each contact; nothing is stored of the last one. */
const WORDS = [RELAY, '550 5.1.1 User unknown', null] as const;

describe('outreach blacklist review', () => {
  const service = useService();
  const commands = new CommandRunner();
  let sink: MailSink;
  let api: ApiClient;
  /** The messages to the contacts, in the order of `WORDS`. */
  let past: Schema<'Message'>[];

  beforeAll(() => service.startWorker());
  afterAll(() => commands.stop());
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    const given = new Given(api, service.database);
    await given.mailbox(sink);
    const campaign = await given.running(await given.contacts(WORDS.length, `past-${api.workspaceId}-`));
    await eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/messages?status=sent`);
      expect(data).toHaveLength(WORDS.length);
      past = data;
    });
    // As earlier versions have stored refusals.
    for (const [n, { id, contact_id: contactId, email }] of past.entries()) {
      const words = WORDS[n] ?? null;
      await service.database.query(`UPDATE messages SET status = $2, reason = $3, bounced_at = now() WHERE id = $1`, [
        id,
        words === null ? 'sent' : 'bounced',
        words,
      ]);
      await service.database.query(`UPDATE contacts SET status = 'bounced' WHERE id = $1`, [contactId]);
      await service.database.query(
        `INSERT INTO blacklist_entries (workspace_id, email, reason) VALUES ($1, $2, 'bounce')`,
        [api.workspaceId, email],
      );
    }
  });
  afterEach(async () => {
    await sink.stop();
    // Reviews read all workspaces.
    await service.database.query('DELETE FROM blacklist_entries');
  });

  const run = async (...args: string[]): Promise<string> => {
    const env = {
      DATABASE_URL: service.database.url,
      ENCRYPTION_KEY: service.config.encryption_key?.join(',') ?? '',
    };
    const { code, stdout, stderr } = await commands.run(['blacklist', 'review', ...args], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));
  const emails = () => past.map(({ email }) => email);
  const blacklisted = async () =>
    (await api.get('/blacklist')).data.map(({ email }: { email: string }) => email).toSorted();
  const statusOf = async (n: number) => (await api.get(`/contacts/${past[n]?.contact_id}`)).data.status;

  it('prints the entries whose stored words name no dead address as one JSON document, and removes them with --yes', async () => {
    const [wrong, ...others] = emails();
    const entry = { workspace_id: api.workspaceId, email: wrong, reason: RELAY, created_at: expect.any(String) };
    expect(await json()).toEqual({ entries: [entry], without_words: 1, removed: 0 });
    expect(await blacklisted()).toEqual(emails().toSorted());
    expect(await statusOf(0)).toBe('bounced');

    expect(await json('--yes')).toEqual({ entries: [entry], without_words: 1, removed: 1 });
    expect(await blacklisted()).toEqual(others.toSorted());
    expect([await statusOf(0), await statusOf(1), await statusOf(2)]).toEqual(['active', 'bounced', 'bounced']);
    expect((await api.get(`/contacts/${past[0]?.contact_id}/activity`)).data).toContainEqual(
      expect.objectContaining({ type: expect.stringContaining('status') }),
    );
    expect(await json('--yes')).toEqual({ entries: [], without_words: 1, removed: 0 });
  });

  it('prints a table, says that nothing was removed without --yes, and what was removed with it', async () => {
    const [wrong] = emails();
    const line = `${api.workspaceId} +\\S+ +${wrong} +${RELAY}\n`;
    const rest = 'Of 1 more the words of the server are not stored; they stay.\n$';
    expect(await run()).toMatch(new RegExp(`^WORKSPACE .*\n${line}Nothing was removed\\..* --yes\\.\n${rest}`));
    expect(await blacklisted()).toHaveLength(3);
    expect(await run('--yes')).toMatch(new RegExp(`^WORKSPACE .*\n${line}Removed 1 entries; .*\n${rest}`));
    expect(await run()).toMatch(new RegExp(`^No entry for a bounce contradicts its stored words\\.\n${rest}`));
  });
});
