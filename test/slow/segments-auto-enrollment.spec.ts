import fc from 'fast-check';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { isInSegment, type ShownSegment } from '../support/segment-evaluator.js';
import { useService } from '../support/service.js';
import { ChangingWorkspace, someChange } from '../segments/changing-workspace.js';
import { someCondition, someSegment } from '../segments/random-segments.js';

/** For another seed or more rounds: `SEGMENT_SEED=7 SEGMENT_ROUNDS=50 npm test -- segments-auto`. */
const SEED = Number(process.env.SEGMENT_SEED ?? 20_261_121);
const ROUNDS = Number(process.env.SEGMENT_ROUNDS ?? 3);
const CAMPAIGNS = 30;
const CHANGES_A_ROUND = 25;
const LATER = [{ subject: 'Later', body: '<p>Later</p>', delay_minutes: 10_000 }];

describe(`campaigns that enroll from random segments with seed ${SEED}`, () => {
  const service = useService({ ROLE: 'all' });
  let sink: MailSink;
  beforeAll(async () => {
    sink = await MailSink.start();
    await service.startWorker();
  });
  afterAll(() => sink.stop());

  it('have enrolled every active contact of their segments, whatever has changed', async () => {
    const api = await service.client();
    const given = new Given(api, service.database);
    await given.mailbox(sink);
    const workspace = new ChangingWorkspace(api);
    await workspace.fill(60, 20, SEED);
    let snapshot = await workspace.snapshot();
    const drawn = fc.sample(someSegment(someCondition(snapshot)), { seed: SEED, numRuns: CAMPAIGNS });
    const enrolling: { id: number; segment: ShownSegment }[] = [];
    for (const segment of drawn) {
      const { id: segmentId } = await given.segment(segment.conditions, { match_type: segment.match_type });
      const { id } = await given.campaign({ steps: LATER, auto_enroll: { segment_ids: [segmentId] } });
      expect((await api.post(`/campaigns/${id}/start`)).status).toBe(200);
      enrolling.push({ id, segment });
    }

    /** The contacts that are missing in each campaign, and how many it has. */
    const compare = async () => {
      const missing: { segment: ShownSegment; contacts: number[] }[] = [];
      let enrolled = 0;
      for (const { id, segment } of enrolling) {
        const rows = await service.database.query<{ contact_id: string }>(
          'SELECT contact_id FROM enrollments WHERE workspace_id = $1 AND campaign_id = $2',
          [api.workspaceId, id],
        );
        const ids = new Set(rows.map((row) => Number(row.contact_id)));
        enrolled += ids.size;
        const members = snapshot.contacts.filter(
          (contact) => contact.status === 'active' && isInSegment(contact, segment, snapshot.types),
        );
        const contacts = members.filter((contact) => !ids.has(contact.id)).map((contact) => contact.id);
        if (contacts.length > 0) missing.push({ segment, contacts });
      }
      return { missing, enrolled };
    };
    const settled = () =>
      eventually(async () => {
        const left = await service.database.query(
          `SELECT 1 FROM changed_contacts WHERE workspace_id = $1
           UNION ALL SELECT 1 FROM auto_enroll_passes WHERE workspace_id = $1`,
          [api.workspaceId],
        );
        expect(left).toEqual([]);
      });

    await settled();
    const { missing, enrolled: atStart } = await compare();
    expect(missing).toEqual([]);
    for (let round = 0; round < ROUNDS; round++) {
      for (const change of fc.sample(someChange, { seed: SEED + round, numRuns: CHANGES_A_ROUND })) {
        await workspace.change(change, snapshot);
      }
      snapshot = await workspace.snapshot();
      await settled();
      expect((await compare()).missing).toEqual([]);
    }
    expect((await compare()).enrolled).toBeGreaterThan(atStart);
  });
});
