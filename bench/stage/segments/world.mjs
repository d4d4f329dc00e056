// What the segments of the benchmark speak of: the seeded records, and the hand-written side's words for them.
import { mixedConditions } from './mixed-conditions.mjs';
import { singleConditions } from './single-conditions.mjs';

const DAY_MS = 86_400_000;

/** All segments of the benchmark, see `Case` in single-conditions.mjs. */
export async function segmentCases(stage) {
  const world = { ...words(stage.workspaceId), ...(await recordsOf(stage)) };
  return [...singleConditions(world), ...mixedConditions(world)];
}

async function recordsOf({ database, workspaceId }) {
  const idsOf = async (table) => {
    const text = `SELECT id FROM ${table} WHERE workspace_id = $1 ORDER BY id`;
    return (await database.query(text, [workspaceId])).rows.map(({ id }) => Number(id));
  };
  const { rows } = await database.query(
    'SELECT email FROM contacts WHERE workspace_id = $1 ORDER BY id LIMIT 1 OFFSET 5000',
    [workspaceId],
  );
  const [company] = await idsOf('companies');
  const now = Date.now();
  return {
    tags: await idsOf('tags'),
    lists: await idsOf('lists'),
    company,
    email: rows[0].email,
    /** The date so many days from now. */
    day: (days) => new Date(now + days * DAY_MS).toISOString().slice(0, 10),
  };
}

function words(workspaceId) {
  const kept = (counted, owner) =>
    `(SELECT coalesce(sum(total), 0) FROM record_counts
      WHERE workspace_id = ${workspaceId} AND counted = '${counted}' AND owner_id = ${owner})`;
  const keptTotal = kept('contacts', 0);
  const contacts = (where) =>
    `SELECT contact.id, contact.created_at FROM best.contacts contact
     WHERE contact.workspace_id = ${workspaceId} AND (${where})`;
  const members = (table, where) =>
    `SELECT member.contact_id AS id, member.contact_created_at AS created_at FROM best.${table} member
     WHERE member.workspace_id = ${workspaceId} AND ${where}`;
  /** All but those of whom something holds. */
  const without = (where) => ({
    found: [contacts(`(${where}) IS NOT TRUE`)],
    counts: [`SELECT ${keptTotal} - (SELECT count(*) FROM (${contacts(where)}) opposite)`],
  });
  const several = (name, match, conditions, { found, counts = [] }) => ({
    name,
    match,
    conditions: conditions.map(([field, operator, value, connector]) => {
      return {
        field,
        operator,
        ...(value === undefined ? {} : { value: String(value) }),
        ...(connector ? { connector } : {}),
      };
    }),
    found,
    counts,
  });
  const one = (name, condition, limit) => several(name, 'all', [condition], limit);
  return { contacts, kept, keptTotal, members, one, several, without };
}
