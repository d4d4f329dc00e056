import pg from 'pg';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useSharedService } from '../support/service.js';

const STEPS = 12;

/** The part of the driver that gets each row from the database. */
interface RowHandler {
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
}

describe('the texts of the steps of a campaign', () => {
  const service = useSharedService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let path: string;
  let steps: number[];
  let contacts: number[];

  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    await given.mailbox(sink);
    const variants = [{ name: 'A', weight: 1, body: 'Text of a variant' }];
    const texts = Array.from({ length: STEPS }, (_, index) => `Text of step ${index + 1}.`);
    const campaign = await given.campaign({ steps: texts.map((body) => ({ subject: 'Hello', body, variants })) });
    path = `/campaigns/${campaign.id}`;
    const { data } = await api.get(`${path}/steps`);
    steps = data.map(({ id }: { id: number }) => id);
    contacts = await given.contacts(2);
    await api.post(`${path}/contacts`, { contact_ids: contacts });
  });
  afterEach(() => sink.stop());

  /** Returns how many texts of steps and variants the database sends for a request, for each of its statements with any. */
  async function textsSentFor(request: () => Promise<{ status: number }>): Promise<number[]> {
    const handle = jest.spyOn(pg.Query.prototype as unknown as RowHandler, 'handleDataRow');
    expect((await request()).status).toBeLessThan(300);
    const texts = new Map<unknown, number>();
    handle.mock.calls.forEach(([{ fields }], call) => {
      const found = fields.join().match(/Text of (a variant|step \d+)/g)?.length ?? 0;
      const statement = handle.mock.contexts[call];
      if (found > 0) texts.set(statement, (texts.get(statement) ?? 0) + found);
    });
    handle.mockRestore();
    return [...texts.values()];
  }

  it('are not read to skip a step, to start the campaign or to delete a step', async () => {
    expect(await textsSentFor(() => api.post(`${path}/contacts/${contacts[0]}/skip`))).toEqual([]);
    expect(await textsSentFor(() => api.post(`${path}/start`))).toEqual([]);
    // The record and its lock.
    expect(await textsSentFor(() => api.delete(`${path}/steps/${steps[5]}`))).toEqual([1, 1]);
  });

  it('are read of one step alone to move a contact to it, to add it or to move it', async () => {
    const ofOneStep = (counts: number[]) => expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    ofOneStep(await textsSentFor(() => api.post(`${path}/contacts/${contacts[1]}/move`, { step_id: steps[7] })));
    const added = { subject: 'Hello', body: 'Text of step 13.', position: 2 };
    ofOneStep(await textsSentFor(() => api.post(`${path}/steps`, added)));
    ofOneStep(await textsSentFor(() => api.put(`${path}/steps/${steps[3]}`, { position: 1 })));
  });

  it('are read of a few steps at a time by the preflight, and of all of them by the list', async () => {
    const counts = await textsSentFor(() => api.get(`${path}/preflight`));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2 * STEPS);
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
    expect(await textsSentFor(() => api.get(`${path}/steps`))).toEqual([2 * STEPS]);
  });
});
