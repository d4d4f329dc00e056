import { Database, type Sql, sql } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { leaseReaction } from '../../src/sandbox/reactions/reactions.queries.js';
import { useService } from '../support/service.js';

const MESSAGES = 30;
/** Of another sandbox, which the statistics know alone: the planner expects one row, and reads the lease once for each. */
const OTHER_MESSAGES = 300;

/** Settings of the planner under which it joins in different ways and orders. */
const PLANS: Readonly<Record<string, readonly Sql[]>> = {
  'as it likes': [],
  'by nested loops': [sql`SET LOCAL enable_hashjoin = off`, sql`SET LOCAL enable_mergejoin = off`],
  'by nested loops without indexes': [
    sql`SET LOCAL enable_hashjoin = off`,
    sql`SET LOCAL enable_mergejoin = off`,
    sql`SET LOCAL enable_indexscan = off`,
    sql`SET LOCAL enable_bitmapscan = off`,
    sql`SET LOCAL enable_material = off`,
  ],
  'in the order of the statement': [
    sql`SET LOCAL join_collapse_limit = 1`,
    sql`SET LOCAL from_collapse_limit = 1`,
    sql`SET LOCAL enable_hashjoin = off`,
  ],
};

describe('the lease of a reaction', () => {
  const service = useService();
  let workspaceId: number;

  const insertMessages = (workspace: number, count: number) =>
    service.database.query(
      `INSERT INTO sandbox_messages (workspace_id, from_address, to_address, subject, message_id, html, text, raw, bytes, event_provider)
       SELECT $1, 'a@sender.example', 'b' || n || '@recipient.example', 's', 'm' || n, '', '', '', 0, NULL
       FROM generate_series(1, $2::int) n`,
      [workspace, count],
    );

  beforeAll(async () => {
    ({ workspaceId } = await service.sandbox());
    await insertMessages((await service.sandbox()).workspaceId, OTHER_MESSAGES);
    await service.database.query('ANALYZE sandbox_messages');
    await insertMessages(workspaceId, MESSAGES);
    await service.database.query(
      `INSERT INTO sandbox_reactions (workspace_id, sandbox_message_id, kind, due_at)
       SELECT workspace_id, id, 'opened', now() - interval '1 minute' FROM sandbox_messages WHERE workspace_id = $1`,
      [workspaceId],
    );
    await service.database.query('ANALYZE sandbox_reactions');
  });

  it.each(Object.keys(PLANS))('takes one reaction, planned %s', async (plan) => {
    const database = service.app.get(Database);
    const leased = await database.transaction(async (tx) => {
      for (const setting of PLANS[plan] ?? []) await tx.execute(setting);
      const scope = await WorkspaceScope.open(workspaceId, tx);
      const reactions = [await leaseReaction(scope), await leaseReaction(scope)];
      const [row] = await tx.query<{ count: number }>(
        sql`SELECT count(*)::int AS count FROM sandbox_reactions WHERE workspace_id = ${workspaceId} AND attempts > 0`,
      );
      await tx.execute(
        sql`UPDATE sandbox_reactions SET attempts = 0, next_attempt_at = ${sql.realNow} WHERE workspace_id = ${workspaceId}`,
      );
      return { reactions: reactions.filter((reaction) => reaction !== undefined).length, count: row?.count };
    });
    expect(leased).toEqual({ reactions: 2, count: 2 });
  });
});
