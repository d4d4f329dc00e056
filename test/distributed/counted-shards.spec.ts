import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { MailSink } from '../support/mail-sink.js';
import { type CountedStatement, NodeCommands, nodesOf, partsOf } from '../support/node-commands.js';
import { rawReply } from '../support/replies.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';
import { WebhookFixture } from '../support/webhook-fixture.js';
import { trustReceivers } from '../support/webhook-receiver.js';

const CONTACTS = 100;
const EVENTS = ['contact.created', 'email.sent', 'email.replied'];

/** What runs a statement, and is not what it is for. */
const RUNS_STATEMENTS = /^packages\/(database|postgres-connections|shared-transactions)\//;
/** What calls statements by time: each second, minute or hour in one worker, and at the start of a worker. */
const BY_TIME = ['packages/job-queue/src/task-scheduler', 'src/webhooks/retention/webhook-retention'];
/** Those of partitions, whose stack the pool of connections hides. */
const OF_DAY = /^(CREATE|DROP) TABLE /;

/** Which statements go to all nodes, by the file that sends them, and why. */
const OVER_ALL_NODES: Readonly<Record<string, string>> = {
  'packages/job-queue/src/due-work-poller': 'each second: which work is due, by its kind',
  'packages/job-queue/src/task-scheduler': 'each second: whether tasks with a condition have something to do',
  'src/platform/database/counter-cache': 'each two seconds, if rows were counted: adds them up',
  'src/sending/dispatch/leases.cross-tenant': 'each three seconds: whose leases are over',
  'src/sending/dispatch/sent-mail-checks': 'each three seconds: which mailboxes may have a message that is uncertain',
  'src/campaigns/campaign/finished-campaigns.cross-tenant':
    'each five seconds and each minute: campaigns that have ended',
  'src/sandbox/clock/sandbox-clocks.cross-tenant': 'at the start: the sandboxes whose clock is ahead',
  'src/app/workspace-deletion/deleted-workspaces.cross-tenant': 'each hour: rows of workspaces that do not exist',
  'src/contacts/imports/due-imports.cross-tenant': 'each hour: deletes old imports',
  'src/platform/idempotency/idempotency-store': 'each hour: deletes old responses',
  'src/sandbox/messages/old-messages.cross-tenant': 'each hour: deletes old messages of sandboxes',
  'src/webhooks/retention/stale-webhooks.cross-tenant': 'each hour: deletes what has waited for too long',
  'src/webhooks/retention/webhook-retention': 'at the start and each hour: partitions of days',
};

/** At most for a statement: it reads, sends what it has read back to its node, and inserts it there. */
const MAX_COMMANDS = 3;

/** Statements of more commands on their node. */
const MORE_COMMANDS: Readonly<Record<string, string>> = {
  'WITH joined AS': 'members of lists and tags, for all contacts of an import at once',
  'WITH before_change AS': 'a change of status by an import, which reads its temporary tables',
};

/** If no transaction is shared by several messages, which depends on the speed of the machine; docs/scale.md has what is usual. */
const MAX_COMMANDS_OF_MESSAGE = 40;

/** What people and bounces write, and each node has a copy of. */
const COPIED = /\b(workspaces|api_tokens|blacklist_entries|oauth_states|tracking_domains|refusal_key)(_\d+)?\b/;

const senderOf = ({ text, callers }: CountedStatement): string =>
  OF_DAY.test(text)
    ? 'src/webhooks/retention/webhook-retention'
    : (callers.find((file) => !RUNS_STATEMENTS.test(file)) ?? 'the driver');
const textOf = ({ text }: CountedStatement): string => text.replace(/\s+/g, ' ').slice(0, 200);
const distinct = (statements: readonly CountedStatement[], show: (each: CountedStatement) => string): string[] =>
  [...new Set(statements.map(show))].sort();
const isByTime = ({ text, callers }: CountedStatement): boolean =>
  OF_DAY.test(text) || callers.some((file) => BY_TIME.includes(file));
const isListed = (list: Readonly<Record<string, string>>, text: string): boolean =>
  Object.keys(list).some((begin) => text.trim().startsWith(begin));

describe('the statements of a journey on several nodes', () => {
  trustReceivers();
  let service: TestService;
  let sink: MailSink;
  let recorded: NodeCommands;
  let fixture: WebhookFixture;
  let api: ApiClient;
  /** Those from the start of the campaign to its end. */
  let ofMessages: CountedStatement[];

  beforeAll(async () => {
    const database = await createTestDatabase();
    recorded = await NodeCommands.of(database);
    service = await startService({}, database);
    sink = await MailSink.start();
    fixture = await WebhookFixture.start(service);
    ({ api } = fixture);
    await service.startWorker();
    const hook = await fixture.subscribe(EVENTS);
    const campaign = await preparedCampaign();
    const before = recorded.statements.length;
    await api.post(`/campaigns/${campaign.id}/start`);
    await eventually(() => expect(sink.mails).toHaveLength(CONTACTS));
    await completed(campaign);
    ofMessages = recorded.statements.slice(before);
    await reply('reader7@example.com');
    const events = CONTACTS + CONTACTS + 1;
    await eventually(() => expect(fixture.receiver.at(hook.path)).toHaveLength(events));
  });
  afterAll(async () => {
    recorded.stop();
    await service.stop();
    await service.database.drop();
    await fixture.receiver.stop();
    await sink.stop();
  });

  /** Imported contacts, and what people do with them. */
  async function preparedCampaign(): Promise<Schema<'Campaign'>> {
    const { given } = fixture;
    for (const name of ['a', 'b']) await given.mailbox(sink, { from_email: `${name}@sender.example` });
    const list = await given.group('/lists');
    const rows = Array.from({ length: CONTACTS }, (_, n) => `reader${n}@example.com,Name${n}`);
    const form = new FormData();
    form.append('file', new Blob([['email,first_name', ...rows].join('\n')], { type: 'text/csv' }), 'contacts.csv');
    form.append('mapping[email]', 'email');
    form.append('mapping[first_name]', 'first_name');
    form.append('lists[]', String(list.id));
    expect((await api.call('POST', '/contacts/import', form)).data).toMatchObject({ imported: CONTACTS });
    const contact = await given.contact({ first_name: 'Ada' });
    await api.put(`/contacts/${contact.id}`, { first_name: 'Grace' });
    const segment = await given.segment([{ field: 'first_name', operator: 'starts_with', value: 'Name' }]);
    await api.get(`/segments/${segment.id}/contacts`);
    const campaign = await given.campaign();
    await api.post(`/campaigns/${campaign.id}/contacts/enroll-from-lists`, { list_ids: [list.id] });
    return campaign;
  }

  const completed = ({ id }: { id: number }) =>
    eventually(async () => expect((await api.get(`/campaigns/${id}`)).data.status).toBe('completed'));

  async function reply(from: string): Promise<void> {
    const { mail_url: url } = (await api.get('/inbound')).data;
    const { status } = await fetch(url.replace('http://outreach.test', service.url), {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: rawReply({ to: sink.to(from)[0]?.message_id ?? '', from }),
    });
    expect(status).toBe(200);
  }

  const isOverAll = (statement: CountedStatement): boolean =>
    recorded.sharesOf(statement).size > 1 || OF_DAY.test(statement.text);

  it('over all nodes are those that are listed', () => {
    const found = distinct(recorded.statements.filter(isOverAll), senderOf);
    expect(found).toEqual(Object.keys(OVER_ALL_NODES).sort());
  });

  it('over all nodes run by time, and none for a request or a message', () => {
    const others = recorded.statements.filter((each) => isOverAll(each) && !isByTime(each));
    expect(distinct(others, textOf)).toEqual([]);
  });

  it('go to one node otherwise, unless they write what each node has a copy of', () => {
    const spread = recorded.statements.filter((each) => !isOverAll(each) && nodesOf(each).size > 1);
    expect(distinct(spread, textOf).filter((text) => !COPIED.test(text))).toEqual([]);
  });

  it('become at most three commands on that node, except those that are listed', () => {
    const many = recorded.statements.filter((each) => nodesOf(each).size === 1 && partsOf(each).length > MAX_COMMANDS);
    expect(distinct(many, textOf).filter((text) => !isListed(MORE_COMMANDS, text))).toEqual([]);
  });

  it('become few commands for a message', () => {
    const own = ofMessages.filter((each) => !isByTime(each));
    const commands = own.reduce((sum, each) => sum + partsOf(each).length, 0);
    expect(commands / CONTACTS).toBeLessThan(MAX_COMMANDS_OF_MESSAGE);
  });
});
