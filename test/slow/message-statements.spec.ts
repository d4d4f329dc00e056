import { ContactListQuery } from '../../src/contacts/dto/contact-list.query.js';
import { Contact } from '../../src/contacts/contact.entity.js';
import { Database, type Sql, sql } from '../../src/platform/database/index.js';
import { type ListPosition, ListStatements, WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { latestTo } from '../../src/sending/feedback/answered-messages.queries.js';
import { isTooRecent, selectLastMessages } from '../../src/sending/rules/days-between/last-messages.queries.js';
import { selectVariantCounts } from '../../src/sending/messages/stats.queries.js';
import { unreachableAmong } from '../../src/sending/results/soft-bounces.queries.js';
import { Message } from '../../src/sending/message.entity.js';
import { MessageListQuery } from '../../src/sending/messages/message-list.query.js';
import { planCost } from '../support/plan-cost.js';
import { useService } from '../support/service.js';

const CONTACTS = 20_000;
const MESSAGES_OF_EACH = 50;

describe('a statement about one contact among a million messages', () => {
  const service = useService();
  let scope: WorkspaceScope;
  let contact: number;

  beforeAll(async () => {
    const { workspaceId } = await service.client();
    scope = await WorkspaceScope.open(workspaceId, service.app.get(Database));
    // Without foreign keys it takes a third of the time.
    await service.database.query(
      `DO $$ DECLARE key record; BEGIN
         FOR key IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
           WHERE contype = 'f' AND conrelid IN ('contacts'::regclass, 'enrollments'::regclass, 'messages'::regclass)
         LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', key.name, key.conname); END LOOP;
       END $$`,
    );
    await service.database.query(
      `WITH contact AS (
         INSERT INTO contacts (workspace_id, email)
         SELECT $1, 'person' || n || '@example.com' FROM generate_series(1, $2::int) n RETURNING id
       ), campaign AS (
         INSERT INTO campaigns (workspace_id, name) VALUES ($1, 'Campaign') RETURNING id
       ), step AS (
         INSERT INTO campaign_steps (workspace_id, campaign_id, position, subject, body)
         SELECT $1, campaign.id, n, 'Hi', 'Hi' FROM campaign, generate_series(1, 2) n RETURNING id, position
       ), variant AS (
         INSERT INTO step_variants (workspace_id, step_id, position, name, weight)
         SELECT $1, step.id, n, 'Variant', 1 FROM step, generate_series(1, 5) n RETURNING id, step_id, position
       ), enrollment AS (
         INSERT INTO enrollments (workspace_id, campaign_id, contact_id)
         SELECT $1, campaign.id, contact.id FROM campaign, contact RETURNING id, campaign_id, contact_id
       )
       INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, variant_id, status, sent_at)
       SELECT $1, enrollment.campaign_id, enrollment.id, enrollment.contact_id, step.id, variant.id, 'sent',
         now() - make_interval(hours => n)
       FROM enrollment CROSS JOIN generate_series(1, $3::int) n
       JOIN step ON step.position = 1 + n % 2 JOIN variant ON variant.step_id = step.id AND variant.position = 1 + n % 5`,
      [workspaceId, CONTACTS, MESSAGES_OF_EACH],
    );
    await service.database.query('ANALYZE contacts, enrollments, messages');
    const [row] = await service.database.query<{ id: string }>(
      `SELECT id FROM contacts WHERE workspace_id = $1 AND email = 'person777@example.com'`,
      [workspaceId],
    );
    contact = Number(row?.id);
  });

  const cost = async (statement: Sql) => {
    const { rows, scanned } = await planCost(service.database, statement, ['contacts', 'enrollments', 'messages']);
    return { rows, scanned };
  };

  it('finds the latest message to an address by indexes, and reads the messages of its contact alone', async () => {
    expect(await cost(latestTo(scope, 'person777@example.com'))).toEqual({ rows: MESSAGES_OF_EACH, scanned: [] });
  });

  it('finds a contact by its whole address in one row of an index, as one record and as a page of the list', async () => {
    const email = 'person777@example.com';
    const query = Object.assign(new ContactListQuery(), { email });
    const contacts = new ListStatements(
      service.app.get(Database).metadata(Contact),
      sql`record.workspace_id = ${scope}`,
    );
    for (const statement of [
      contacts.find(sql`record.email = ${email}`),
      contacts.page(query, [...query.clauses()], query.knownTotal(scope)),
    ]) {
      expect(await cost(statement)).toEqual({ rows: 1, scanned: [] });
    }
  });

  it('reads a page of any depth with a cursor along the index of the list', async () => {
    const [row] = await service.database.query<{ id: string; last: string; created_at: Date }>(
      'SELECT campaign_id AS id, max(id) AS last, max(created_at) AS created_at FROM messages GROUP BY 1',
    );
    const ofCampaign = sql`record.campaign_id = ${Number(row?.id)}`;
    for (const depth of [100, 250_000, 999_000]) {
      const list = Object.assign(new MessageListQuery(), { cursor: '', total: false });
      const position: ListPosition = [row?.created_at.toISOString() ?? '', Number(row?.last) - depth];
      Object.defineProperty(list, 'position', { value: position });
      const statements = new ListStatements(
        service.app.get(Database).metadata(Message),
        sql`record.workspace_id = ${scope}`,
      );
      const { rows, scanned } = await cost(statements.page(list, [ofCampaign]));
      expect({ depth, scanned }).toEqual({ depth, scanned: [] });
      expect(rows).toBeLessThanOrEqual(60);
    }
  });

  it('finds out by indexes whether the last five messages of a contact ended in soft bounces', async () => {
    await service.database.query(
      `UPDATE messages SET soft_bounced_at = now(), soft_bounced_address = 'person777@example.com'
       WHERE workspace_id = $1 AND enrollment_id = (SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2)`,
      [scope.workspace_id, contact],
    );
    expect(await scope.query(unreachableAmong(scope, [contact]))).toEqual([{ id: contact }]);
    expect(await cost(unreachableAmong(scope, [contact]))).toEqual({ rows: MESSAGES_OF_EACH, scanned: [] });
  });

  it('finds the last message to a contact by indexes, and reads the messages of this contact alone', async () => {
    const days = sql`(SELECT 7 AS min_days_since_last_message) campaign,
      (SELECT ${contact}::bigint AS contact_id, NULL::bigint AS reply_id) message`;
    for (const statement of [
      selectLastMessages(scope, sql`${[contact]}::bigint[]`),
      sql`SELECT ${isTooRecent(scope)} FROM ${days}`,
    ]) {
      const { rows, scanned } = await cost(statement);
      expect(scanned).toEqual([]);
      expect(rows).toBeLessThanOrEqual(MESSAGES_OF_EACH);
    }
  });

  it('counts ten variants of two steps, and reads each message of the campaign once', async () => {
    const [row] = await service.database.query<{ id: string }>('SELECT max(campaign_id) AS id FROM messages');
    const { rows } = await cost(selectVariantCounts(scope, Number(row?.id)));
    // PostgreSQL shows the rounded mean of the processes that share a plan.
    expect(Math.abs(rows - CONTACTS * MESSAGES_OF_EACH)).toBeLessThan(10);
  });
});
