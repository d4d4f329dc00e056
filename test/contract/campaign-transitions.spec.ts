import fc from 'fast-check';
import { CampaignCompletion, EnrollmentTransitions } from '../../src/campaigns/index.js';
import { sql } from '../../src/platform/database/index.js';
import type { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useSharedService } from '../support/service.js';

/** For another seed or more runs: `CAMPAIGN_SEED=7 CAMPAIGN_RUNS=500 npm test -- contract/campaign-transitions`. */
const SEED = Number(process.env.CAMPAIGN_SEED ?? 20_261_127);
const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 25);
const STEP = { subject: 'Hello', body: '<p>Hello</p>' };

/** What users and workers do with a campaign; the number chooses the contact, or the step. */
const ACTIONS = [
  ...['start', 'pause', 'enroll', 'remove', 'skip', 'move', 'add step', 'delete step', 'auto enroll', 'no auto enroll'],
  ...['lose account', 'get account', 'send', 'fail', 'lose result', 'retry failed', 'retry unknown'],
] as const;
type Action = (typeof ACTIONS)[number];
interface Call {
  readonly action: Action;
  readonly which: number;
}

const call = fc.record({ action: fc.constantFrom<Action>(...ACTIONS), which: fc.nat(9) });
/** The calls of one batch run at the same time. */
const batches = fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 12 });

/** The status that each event leads to, and the ones that it may come from. */
const EVENTS: Readonly<Record<string, { to: string; from: readonly string[] }>> = {
  'campaign.started': { to: 'active', from: ['draft', 'paused', 'completed'] },
  'campaign.paused': { to: 'paused', from: ['active', 'completed'] },
  'campaign.completed': { to: 'completed', from: ['active'] },
};

describe('a campaign, whatever is done with it in whatever order', () => {
  const service = useSharedService();
  let sink: MailSink;
  beforeAll(async () => {
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());

  it('never has work while it is completed, and each contact that waits for more than a delay shows the reason', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (chosen) => {
        const tried = await TriedCampaign.create(await service.client(), sink);
        for (const batch of chosen) {
          const statuses = await Promise.all(batch.map((each) => tried.run(each)));
          expect(statuses.filter((status) => status >= 500)).toEqual([]);
          await tried.assertExplained();
        }
        await tried.assertPublished();
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
  });

  /** A campaign with the API that users have, and the calls by which workers record results. */
  class TriedCampaign {
    private constructor(
      private readonly api: ApiClient,
      private readonly scope: WorkspaceScope,
      private readonly given: Given,
      private readonly id: number,
      private readonly listId: number,
    ) {}

    static async create(api: ApiClient, server: MailSink): Promise<TriedCampaign> {
      const given = new Given(api, service.database);
      await given.mailbox(server);
      const { id: accountId } = await given.mailbox(server);
      const { id } = await given.campaign({ steps: [STEP], email_account_ids: [accountId] });
      const { id: listId } = await given.group('/lists');
      const scope = await service.app.get(Workspaces, { strict: false }).scope(api.workspaceId);
      return new TriedCampaign(api, scope, given, id, listId);
    }

    /** @returns the status of the response; that of what a worker does is 0 */
    async run({ action, which }: Call): Promise<number> {
      const path = `/campaigns/${this.id}`;
      const contactId = await this.contact(which);
      const stepId = await this.step(which);
      switch (action) {
        case 'start':
        case 'pause':
          return (await this.api.post(`${path}/${action}`)).status;
        case 'enroll':
          return (await this.api.post(`${path}/contacts`, { contact_ids: [(await this.given.contact()).id] })).status;
        case 'remove':
          return (await this.api.delete(`${path}/contacts/${contactId}`)).status;
        case 'skip':
          return (await this.api.post(`${path}/contacts/${contactId}/skip`)).status;
        case 'move':
          return (await this.api.post(`${path}/contacts/${contactId}/move`, { step_id: stepId })).status;
        case 'add step':
          return (await this.api.post(`${path}/steps`, { ...STEP, delay_minutes: which })).status;
        case 'delete step':
          return (await this.api.delete(`${path}/steps/${stepId}`)).status;
        case 'auto enroll':
          return (await this.api.put(path, { auto_enroll: { list_ids: [this.listId] } })).status;
        case 'no auto enroll':
          return (await this.api.put(path, { auto_enroll: null })).status;
        case 'lose account':
          return this.loseAccount();
        case 'get account':
          return (await this.api.put(path, { email_account_ids: [(await this.given.mailbox(sink)).id] })).status;
        case 'send':
          return this.record(contactId, (tx, enrollment) =>
            this.transitions.afterSend(tx, [{ enrollment_id: enrollment.id, step_id: enrollment.current_step_id }]),
          );
        case 'fail':
          return this.record(contactId, async (tx, enrollment) => {
            await this.end(tx, enrollment, 'failed');
            return this.transitions.fail(tx, [enrollment.id]);
          });
        case 'lose result':
          return this.record(contactId, async (tx, enrollment) => {
            await this.end(tx, enrollment, 'unknown');
            return [];
          });
        case 'retry failed':
        case 'retry unknown':
          return (await this.api.post(`${path}/messages/retry`, { status: action.slice('retry '.length) })).status;
        default:
          return action satisfies never;
      }
    }

    /** What is stored and shown agrees: see the title of the test. */
    async assertExplained(): Promise<void> {
      await this.completion.completeIfDone(this.scope, [this.id]);
      const { data: campaign } = await this.api.get(`/campaigns/${this.id}`);
      const { data: enrollments } = await this.api.get(`/campaigns/${this.id}/contacts?per_page=100`);
      const running = enrollments.filter(({ status }: Schema<'Enrollment'>) => /pending|in_progress/.test(status));
      const hasWork = running.length > 0 || campaign.auto_enroll !== null;
      if (campaign.status === 'completed') expect(hasWork).toBe(false);
      if (campaign.status === 'active') {
        expect(campaign.steps_count).toBeGreaterThan(0);
        expect(hasWork || enrollments.length === 0).toBe(true);
      }
      expect(campaign.paused_at === null).toBe(campaign.status !== 'paused');
      expect(campaign.completed_at === null).toBe(campaign.status !== 'completed');
      for (const { status, waiting_for: reason, next_send_at: next } of enrollments) {
        const shown = JSON.stringify({ campaign: campaign.status, status, reason, next });
        if (!/pending|in_progress/.test(status)) expect([shown, reason, next]).toEqual([shown, null, null]);
        else expect([shown, reason !== null || (campaign.status === 'active' && next !== null)]).toEqual([shown, true]);
      }
    }

    /** Each change of the status was published once, in its order. */
    async assertPublished(): Promise<void> {
      const names = Object.keys(EVENTS).join(',');
      const { data: published } = await this.api.get(`/events?after=0&event=${names}&limit=1000`);
      let status = 'draft';
      for (const { event } of published as { event: string }[]) {
        expect(EVENTS[event]?.from).toContain(status);
        status = EVENTS[event]?.to ?? status;
      }
      expect(status).toBe((await this.api.get(`/campaigns/${this.id}`)).data.status);
    }

    private get transitions(): EnrollmentTransitions {
      return service.app.get(EnrollmentTransitions, { strict: false });
    }

    private get completion(): CampaignCompletion {
      return service.app.get(CampaignCompletion, { strict: false });
    }

    /** One of those that are enrolled; 0 if none is. */
    private async contact(which: number): Promise<number> {
      const { data } = await this.api.get(`/campaigns/${this.id}/contacts?per_page=100`);
      return data.length === 0 ? 0 : data[which % data.length].contact_id;
    }

    private async step(which: number): Promise<number> {
      const { data } = await this.api.get(`/campaigns/${this.id}/steps`);
      return data.length === 0 ? 0 : data[which % data.length].id;
    }

    private async loseAccount(): Promise<number> {
      const { data } = await this.api.get(`/campaigns/${this.id}`);
      const [id] = data.email_account_ids;
      return id === undefined ? 0 : (await this.api.delete(`/email-accounts/${id}`)).status;
    }

    /** Records a result of the current step of a contact, if the campaign sends and nothing has become of the step yet. */
    private async record(
      contactId: number,
      write: (tx: WorkspaceScope, enrollment: DueEnrollment) => Promise<number[]>,
    ): Promise<number> {
      const ended = await this.scope.transaction(async (tx) => {
        // As planning does.
        const active = await tx.query(
          sql`SELECT 1 FROM campaigns WHERE workspace_id = ${tx} AND id = ${this.id} AND status = 'active' FOR SHARE`,
        );
        if (active.length === 0) return [];
        const [enrollment] = await tx.query<DueEnrollment & Record<string, unknown>>(
          sql`DELETE FROM due_steps due USING enrollments enrollment
              WHERE due.workspace_id = ${tx} AND due.enrollment_id = enrollment.id
                AND enrollment.workspace_id = ${tx} AND enrollment.contact_id = ${contactId}
                AND enrollment.campaign_id = ${this.id}
              RETURNING enrollment.id, enrollment.contact_id, enrollment.current_step_id`,
        );
        return enrollment ? write(tx, enrollment) : [];
      });
      await this.completion.completeIfDone(this.scope, ended);
      return 0;
    }

    private async end(tx: WorkspaceScope, enrollment: DueEnrollment, status: 'failed' | 'unknown'): Promise<void> {
      await tx.execute(
        sql`INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, status, attempts)
            SELECT ${tx}, ${this.id}, ${enrollment.id}, ${enrollment.contact_id}, ${enrollment.current_step_id},
              (SELECT min(account.id) FROM email_accounts account WHERE account.workspace_id = ${tx}), ${status}, 1`,
      );
    }
  }
});

/** An enrollment whose step was due. */
interface DueEnrollment {
  readonly id: number;
  readonly contact_id: number;
  readonly current_step_id: number;
}
