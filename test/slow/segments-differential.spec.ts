import fc from 'fast-check';
import { Database, CounterCache } from '../../src/platform/database/index.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { isInSegment, type ShownContact, type ShownSegment } from '../support/segment-evaluator.js';
import { startService, type TestService } from '../support/service.js';
import { type Change, CHANGES, ChangingWorkspace, type Snapshot, someChange } from '../segments/changing-workspace.js';
import { listed, type Listing, someListing } from '../segments/listed-contacts.js';
import { conditionOf, kindsOf, someCondition, someSegment } from '../segments/random-segments.js';

/** For another seed or more rounds: `SEGMENT_SEED=7 SEGMENT_ROUNDS=50 npm test -- segments-diff`. */
const SEED = Number(process.env.SEGMENT_SEED ?? 20_261_121);
const ROUNDS = Number(process.env.SEGMENT_ROUNDS ?? 5);
const SEGMENTS = 40;
const CHANGES_A_ROUND = 25;
const EDITS = 8;
const AGAIN = 15;
const CONTACTS = 160;
const IMPORTED = 60;
/** More contacts than the service reads in list order to fill a first page. */
const FAR = 670;

interface Stored extends ShownSegment {
  readonly id: number;
  readonly contacts_count: number;
  readonly contacts_counted_at: string;
}

/*
 * Compares random segments in the API with the reference implementation, while contacts, tags, lists, companies and custom
 * fields change. A failure reports the seed and the segment.
 */
describe(`random segments with seed ${SEED}`, () => {
  let service: TestService;
  /** A second service, for whose planner every statement is so expensive that it reuses the IDs that it has found. */
  let costly: TestService;
  let api: ApiClient;
  let reader: ApiClient;
  let workspace: ChangingWorkspace;
  let snapshot: Snapshot;
  const segments: Stored[] = [];

  beforeAll(async () => {
    service = await startService();
    const neighbour = new ChangingWorkspace(await service.client());
    await neighbour.fill(20, 10, SEED + 1);
    api = await service.client();
    const { database } = service;
    costly = await startService(
      {},
      { ...database, url: `${database.url}&options=-c%20cpu_tuple_cost%3D1000%20-c%20jit%3Doff` },
    );
    reader = new ApiClient(costly.url, api.token, api.workspaceId);
    workspace = new ChangingWorkspace(api);
    await workspace.fill(CONTACTS, IMPORTED, SEED);
    await refresh();
  });
  afterAll(async () => {
    await costly.stop();
    await service.stop();
  });

  async function refresh(): Promise<void> {
    snapshot = await workspace.snapshot();
  }

  const readerOf = ({ id }: Stored): ApiClient => (id % 2 === 0 ? reader : api);

  const membersOf = (segment: ShownSegment): ShownContact[] =>
    snapshot.contacts.filter((contact) => isInSegment(contact, segment, snapshot.types));

  async function create(segment: ShownSegment): Promise<Stored> {
    const { status, body, data } = await api.post('/segments', { name: 'Random', ...segment });
    if (status !== 201) throw new Error(`${JSON.stringify(body)} of ${JSON.stringify(segment)}`);
    expect(data.contacts_count).toBe(membersOf(data).length);
    return data as Stored;
  }

  /** Compares all pages of a listing, or those in `pages`. */
  async function compareListing(segment: Stored, listing: Listing, perPage: number, pages?: number[]): Promise<void> {
    const expected = listed(membersOf(segment), listing, snapshot).map(({ id }) => id);
    const last = Math.max(1, Math.ceil(expected.length / perPage));
    const named = Object.entries(listing).map(([name, value]): [string, string] => [name, String(value)]);
    for (const page of pages ?? Array.from({ length: last }, (_, index) => index + 1)) {
      const query = new URLSearchParams([...named, ['page', String(page)], ['per_page', String(perPage)]]);
      const { status, body } = await readerOf(segment).get(`/segments/${segment.id}/contacts?${query.toString()}`);
      if (status !== 200) throw new Error(JSON.stringify(body));
      const found = body.data.map(({ id }: ShownContact) => id);
      expect(found).toEqual(expected.slice((page - 1) * perPage, page * perPage));
      expect(body.meta).toMatchObject({ total: expected.length, last_page: last, count: found.length });
    }
  }

  async function comparePreview(segment: Stored): Promise<void> {
    const expected = listed(membersOf(segment), {}, snapshot);
    const { data } = await readerOf(segment).get(`/segments/${segment.id}/preview`);
    expect(data).toEqual({ count: expected.length, sample: expected.slice(0, 5) });
  }

  async function compare(segment: Stored, seed: number): Promise<void> {
    const [drawn] = fc.sample(fc.tuple(someListing(snapshot), fc.constantFrom(12, 25, 40, 100)), { seed, numRuns: 1 });
    const [listing, perPage] = drawn ?? [{}, 15];
    try {
      await comparePreview(segment);
      if (seed % 3 === 0) await compareListing(segment, {}, 100);
      await compareListing(segment, listing, perPage);
    } catch (error) {
      throw new Error(`Segment ${JSON.stringify(segment, null, 1)} listed by ${JSON.stringify(listing)}`, {
        cause: error,
      });
    }
  }

  async function compareEnrollment(selected: readonly Stored[]): Promise<void> {
    const members = snapshot.contacts.filter((contact) =>
      selected.some((each) => isInSegment(contact, each, snapshot.types)),
    );
    const active = members.filter(({ status }) => status === 'active').map(({ id }) => id);
    const campaign = await new Given(api, service.database).campaign();
    const path = `/campaigns/${campaign.id}/contacts`;
    const { data } = await api.post(`${path}/enroll-from-lists`, { segment_ids: selected.map(({ id }) => id) });
    expect(data).toMatchObject({ enrolled: active.length, skipped: members.length - active.length });
    const enrolled = await workspace.all<{ contact_id: number }>(path);
    expect(enrolled.map((each) => each.contact_id).sort((a, b) => a - b)).toEqual(active.sort((a, b) => a - b));
  }

  /** Makes changes with two concurrent clients while two others read counts and the cached counts are merged. */
  async function changeMeanwhile(seed: number): Promise<void> {
    const changes = fc.sample(someChange, { seed, numRuns: CHANGES_A_ROUND });
    let isOver = false;
    const readCounts = async (): Promise<void> => {
      for (let iteration = 0; !isOver; iteration++) {
        const segment = segments[(seed + iteration) % segments.length];
        const { status } = await api.get(
          segment && iteration % 3 > 0 ? `/segments/${segment.id}/preview` : '/segments',
        );
        expect(status).toBe(200);
        if (iteration % 5 === 0) await new CounterCache(service.app.get(Database, { strict: false })).merge();
      }
    };
    const change = sideBySide(changes, (one) => workspace.change(one, snapshot), 2).finally(() => (isOver = true));
    await Promise.all([change, edit(seed), readCounts(), readCounts()]);
  }

  /** Replaces the conditions of some segments, and the match type of others. */
  async function edit(seed: number): Promise<void> {
    const drawn = fc.sample(fc.tuple(fc.nat(), fc.boolean(), someSegment(someCondition(snapshot))), {
      seed,
      numRuns: EDITS,
    });
    for (const [which, isReplaced, { match_type, conditions }] of drawn) {
      const index = which % segments.length;
      const body = isReplaced ? { conditions } : { match_type };
      const { status, data } = await api.put(`/segments/${segments[index]?.id}`, body);
      // The records in the conditions may have been deleted.
      if (status === 200) segments[index] = data as Stored;
      else expect(status).toBe(422);
    }
  }

  /** Compares existing segments: all stored counts in the list, some one by one, and the contacts of some. */
  async function compareAgain(seed: number): Promise<void> {
    const changedAt = Date.now();
    for (const [index, segment] of segments.entries()) {
      if ((seed + index) % 5 > 0) continue;
      const { data } = await api.get(`/segments/${segment.id}`);
      expect(data).toMatchObject({ id: segment.id, contacts_count: membersOf(segment).length });
    }
    expect(await compareCounts(workspace, snapshot, changedAt)).toBe(segments.length);
    const some = fc.sample(fc.constantFrom(...segments), { seed, numRuns: AGAIN });
    await sideBySide(some, (segment, index) => compare(segment, seed + index));
  }

  const rounds = Array.from({ length: ROUNDS }, (_, round) => SEED + 1000 * round);

  it.each(rounds)('have the contacts of the reference implementation in the round with seed %d', async (seed) => {
    if (segments.length > 0) {
      await changeMeanwhile(seed);
      await refresh();
      await compareAgain(seed);
    }
    const fresh: Stored[] = [];
    await sideBySide(
      fc.sample(someSegment(someCondition(snapshot)), { seed, numRuns: SEGMENTS }),
      async (segment, index) => {
        const stored = await create(segment);
        fresh.push(stored);
        await compare(stored, seed + index);
      },
    );
    await compareEnrollment(fresh.slice(0, 3));
    segments.push(...fresh);
  });

  it('are counted again after every single change', async () => {
    const small = new ChangingWorkspace(await service.client());
    await small.fill(30, 10, SEED);
    let now = await small.snapshot();
    const some = kindsOf(now).flatMap((kind) => {
      const operators = kind.operators.slice(0, kind.field.endsWith('_id') ? 1 : 3);
      const numRuns = kind.field.endsWith('_id') ? 12 : 1;
      return fc.sample(conditionOf({ ...kind, operators }), { seed: SEED, numRuns });
    });
    for (const conditions of some.map((one) => [one])) {
      await small.api.post('/segments', { name: 'Small', match_type: 'all', conditions });
    }
    // The first pass changes contacts with tags and lists, the second those without.
    const groupedFirst = [0, 1].flatMap((pass) =>
      CHANGES.map((kind, nth): Change => {
        return {
          kind,
          recordIndex: pass === 0 ? 7 * nth : 22 + (nth % 7),
          otherIndex: 11 * nth + pass,
          seed: 2 * SEED + 1 - pass,
        };
      }),
    );
    for (const change of groupedFirst) {
      await small.change(change, now);
      const changedAt = Date.now();
      now = await small.snapshot();
      expect(await compareCounts(small, now, changedAt)).toBe(some.length);
    }
  });

  it('return the right pages if all contacts of the segment are at the end of the list', async () => {
    const given = new Given(api, service.database);
    const early = await given.contacts(FAR, 'a-early');
    const [tag] = snapshot.tag_ids;
    await api.post(`/tags/${tag}/contacts`, { contact_ids: early });
    await given.contacts(FAR, 'z-late');
    await refresh();
    const drawn = fc.sample(someSegment(someCondition(snapshot)), { seed: SEED, numRuns: 1 });
    const tagged = {
      match_type: 'all' as const,
      conditions: [{ field: 'tag_id', operator: 'equals', value: `${tag}` }],
    };
    const named = {
      match_type: 'all' as const,
      conditions: [{ field: 'email', operator: 'starts_with', value: 'Z-' }],
    };
    for (const segment of [await create(tagged), await create(named), ...(await Promise.all(drawn.map(create)))]) {
      for (const listing of EDGES) {
        for (const perPage of [3, 40]) await compareListing(segment, listing, perPage, [1, 2, 30]);
      }
    }
  });
});

/**
 * Compares the count of every segment in the list. Waits for counts that are older than the last change.
 * @returns the number of segments
 */
async function compareCounts(workspace: ChangingWorkspace, snapshot: Snapshot, changedAt: number): Promise<number> {
  const counted = await eventually(async () => {
    const segments = await workspace.all<Stored>('/segments', 50);
    for (const { contacts_counted_at: at } of segments) expect(Date.parse(at)).toBeGreaterThanOrEqual(changedAt);
    return segments;
  });
  for (const segment of counted) {
    const members = snapshot.contacts.filter((contact) => isInSegment(contact, segment, snapshot.types));
    expect({ segment, count: segment.contacts_count }).toEqual({ segment, count: members.length });
  }
  return counted.length;
}

/** Both directions of sorts with an index of each kind, and of the one without. */
const EDGES = (['updated_at', 'email', 'job_title', 'status', 'linkedin_url'] as const).flatMap((sort): Listing[] => [
  { sort, direction: 'asc' },
  { sort, direction: 'desc' },
]);

async function sideBySide<T>(
  all: readonly T[],
  work: (one: T, index: number) => Promise<void>,
  workers = 3,
): Promise<void> {
  const left = [...all.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
