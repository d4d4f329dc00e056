import { unscopedTables } from './unscoped-tables.js';

const tenantTables = new Set(['contacts', 'tags', 'lists', 'list_members', 'campaigns']);

/** `$1` is the workspace of the scope. */
const check = (text: string): string[] =>
  unscopedTables({ text, scope: [1], tenantTables, tenantColumn: 'workspace_id' });

describe('unscopedTables', () => {
  describe('accepts', () => {
    it.each([
      ['a table compared with the scope', 'SELECT id FROM contacts WHERE workspace_id = $1 AND id = $2'],
      [
        'the comparison in the other order, with casts',
        'SELECT 1 FROM contacts c WHERE ($1::bigint) = c.workspace_id::bigint',
      ],
      ['the scope as a sub-select', 'SELECT 1 FROM contacts c WHERE c.workspace_id = (SELECT $1::bigint)'],
      ['names in upper case and in quotes', 'select 1 from "contacts" C where c.WORKSPACE_ID = $1'],
      ['a schema', 'SELECT 1 FROM public.contacts WHERE contacts.workspace_id = $1'],
      ['conditions in parentheses', 'SELECT 1 FROM contacts c WHERE ((c.id = $2) AND (c.workspace_id = $1))'],
      [
        'no table of a tenant',
        'SELECT pg_advisory_xact_lock(hashtextextended($2, $1)) FROM pg_class, generate_series(1, 3)',
      ],
      [
        'alternatives that all name the scope',
        'SELECT 1 FROM tags t WHERE (t.workspace_id = $1 AND t.id = 1) OR (t.id = 2 AND t.workspace_id = $1)',
      ],
      ['a row that is compared', 'SELECT 1 FROM tags t WHERE (t.workspace_id, t.id) = ($1, $2)'],
      [
        'a join on the workspace',
        'SELECT 1 FROM contacts c JOIN lists l ON l.workspace_id = c.workspace_id WHERE c.workspace_id = $1',
      ],
      [
        'a join that names the scope first',
        'SELECT 1 FROM lists l, contacts c WHERE c.workspace_id = l.workspace_id AND l.workspace_id = $1',
      ],
      [
        'USING with the workspace',
        'SELECT 1 FROM contacts c LEFT JOIN list_members m USING (workspace_id, contact_id) WHERE c.workspace_id = $1',
      ],
      [
        'a joined table in parentheses',
        'SELECT 1 FROM (contacts c JOIN lists l ON l.workspace_id = c.workspace_id) WHERE c.workspace_id = $1',
      ],
      [
        'functions that are called like a join',
        'SELECT 1 FROM tags t JOIN lists l ON left(l.name, 1) = right(t.name, 1) AND l.workspace_id = t.workspace_id WHERE t.workspace_id = $1',
      ],
      [
        'a sub-select that is compared with the query around it',
        'SELECT (SELECT count(*) FROM list_members m WHERE m.workspace_id = c.workspace_id AND m.contact_id = c.id) FROM contacts c WHERE c.workspace_id = $1',
      ],
      [
        'a sub-select in FROM',
        'SELECT found.id FROM (SELECT workspace_id, id FROM contacts WHERE workspace_id = $1) found JOIN tags t ON t.workspace_id = found.workspace_id',
      ],
      [
        'a lateral sub-select',
        'SELECT 1 FROM lists l CROSS JOIN LATERAL (SELECT id FROM list_members m WHERE m.workspace_id = l.workspace_id LIMIT 3) m WHERE l.workspace_id = $1',
      ],
      [
        'a WITH query, also under the name of a table',
        'WITH contacts AS (SELECT id FROM tags WHERE workspace_id = $1) SELECT id FROM contacts',
      ],
      [
        'a recursive WITH query',
        'WITH RECURSIVE up (id) AS (SELECT id FROM tags WHERE workspace_id = $1 UNION ALL SELECT t.id FROM tags t JOIN up ON t.id = up.id WHERE t.workspace_id = $1) SELECT * FROM up',
      ],
      [
        'a WITH query that writes',
        'WITH made AS (INSERT INTO tags (workspace_id, name) VALUES ($1, $2) RETURNING workspace_id, id) INSERT INTO lists (workspace_id, name) SELECT workspace_id, id::text FROM made',
      ],
      [
        'set operations',
        '(SELECT id FROM tags WHERE workspace_id = $1) UNION ALL (SELECT id FROM lists WHERE workspace_id = $1) ORDER BY id LIMIT 3',
      ],
      [
        'a CASE with alternatives inside',
        'SELECT 1 FROM tags WHERE workspace_id = $1 AND CASE WHEN id = 1 OR id = 2 THEN TRUE ELSE FALSE END',
      ],
      [
        'an UPDATE with FROM',
        'UPDATE contacts c SET name = o.name FROM unnest($2::bigint[]) WITH ORDINALITY AS o (name, n) WHERE c.workspace_id = $1 AND c.id = o.n',
      ],
      [
        'a DELETE with USING',
        'DELETE FROM contacts c USING lists l WHERE c.workspace_id = $1 AND l.workspace_id = c.workspace_id RETURNING c.id',
      ],
      [
        'an INSERT with SELECT',
        'INSERT INTO tags (workspace_id, name) SELECT DISTINCT $1::bigint, n FROM unnest($2::text[]) n ON CONFLICT (workspace_id, name) DO UPDATE SET name = excluded.name RETURNING id',
      ],
      [
        'an INSERT with an alias and several rows',
        'INSERT INTO tags AS t (name, workspace_id) VALUES ($2, $1), ($3, $1) ON CONFLICT DO NOTHING',
      ],
      [
        'a table that is created from a query',
        'CREATE TEMPORARY TABLE rows ON COMMIT DROP AS SELECT id FROM contacts WHERE workspace_id = $1 WITH NO DATA',
      ],
      [
        'IS DISTINCT FROM, and FROM in functions',
        `SELECT extract(epoch FROM c.at), trim(both ' ' FROM c.name) FROM contacts c WHERE c.a IS NOT DISTINCT FROM c.tags AND c.workspace_id = $1`,
      ],
      [
        'names of tables in strings and comments',
        `SELECT 'FROM contacts', E'\\' FROM tags', $x$ FROM lists $x$ /* FROM contacts /* FROM tags */ */ -- FROM lists`,
      ],
      [
        'a lock',
        'SELECT c.id FROM contacts c WHERE c.workspace_id = $1 ORDER BY c.id FOR NO KEY UPDATE OF c SKIP LOCKED',
      ],
      [
        'a table after the mark of scope.crossTenant',
        'SELECT 1 FROM contacts c WHERE c.workspace_id = $1 AND EXISTS (SELECT 1 FROM /* cross-tenant */ tags t WHERE t.name = c.name)',
      ],
    ])('%s', (_, text) => {
      expect(check(text)).toEqual([]);
    });
  });

  describe('refuses', () => {
    it.each([
      ['a table without a condition', 'SELECT $1 FROM contacts', ['contacts']],
      ['another parameter', 'SELECT $1 FROM contacts WHERE workspace_id = $2', ['contacts']],
      [
        'another comparison',
        'SELECT 1 FROM contacts c WHERE c.workspace_id <> $1 AND c.workspace_id >= $1',
        ['contacts c'],
      ],
      [
        'a sub-select with more than the scope',
        'SELECT 1 FROM tags t WHERE t.workspace_id = (SELECT $1::bigint UNION SELECT 2)',
        ['tags t'],
      ],
      ['another column', 'SELECT 1 FROM contacts c WHERE c.id = $1', ['contacts c']],
      [
        'a negated comparison',
        'SELECT 1 FROM contacts c WHERE NOT c.workspace_id = $1 AND NOT (c.workspace_id = $1)',
        ['contacts c'],
      ],
      ['one alternative only', 'SELECT 1 FROM contacts c WHERE c.workspace_id = $1 OR c.id = $2', ['contacts c']],
      [
        'a comparison inside a CASE',
        'SELECT 1 FROM contacts c WHERE CASE WHEN c.id = 1 AND c.workspace_id = $1 AND TRUE THEN TRUE END',
        ['contacts c'],
      ],
      ['a comparison in the select list only', 'SELECT c.workspace_id = $1 FROM contacts c', ['contacts c']],
      [
        'a joined table',
        'SELECT 1 FROM contacts c JOIN lists l ON l.id = c.list_id WHERE c.workspace_id = $1',
        ['lists l'],
      ],
      [
        'two tables that are compared with each other only',
        'SELECT $1 FROM contacts c JOIN lists l ON l.workspace_id = c.workspace_id',
        ['contacts c', 'lists l'],
      ],
      [
        'the left side of a LEFT JOIN that only its ON compares',
        'SELECT 1 FROM contacts c LEFT JOIN lists l ON c.workspace_id = $1 AND l.workspace_id = c.workspace_id',
        ['contacts c', 'lists l'],
      ],
      [
        'a sub-select in the order of a set operation',
        '(SELECT id FROM tags WHERE workspace_id = $1) UNION (SELECT 1) ORDER BY (SELECT id FROM lists LIMIT 1)',
        ['lists'],
      ],
      [
        'USING without the workspace',
        'SELECT 1 FROM contacts c JOIN list_members m USING (contact_id) WHERE c.workspace_id = $1',
        ['list_members m'],
      ],
      [
        'a second table after a comma',
        'SELECT 1 FROM contacts AS c, lists AS l WHERE c.workspace_id = $1',
        ['lists l'],
      ],
      [
        'a sub-select in WHERE',
        'SELECT 1 FROM contacts c WHERE c.workspace_id = $1 AND c.id IN (SELECT contact_id FROM list_members)',
        ['list_members'],
      ],
      [
        'a sub-select in the select list',
        'SELECT (SELECT count(*) FROM tags t WHERE t.id = c.id) FROM contacts c WHERE c.workspace_id = $1',
        ['tags t'],
      ],
      [
        'a sub-select in FROM',
        'SELECT 1 FROM (SELECT id FROM contacts) c JOIN tags t ON t.workspace_id = $1',
        ['contacts'],
      ],
      [
        'a lateral sub-select',
        'SELECT 1 FROM lists l, LATERAL (SELECT 1 FROM list_members m WHERE m.list_id = l.id) m WHERE l.workspace_id = $1',
        ['list_members m'],
      ],
      [
        'a query around the one that names the scope',
        'SELECT 1 FROM contacts c WHERE NOT EXISTS (SELECT 1 FROM tags t WHERE t.workspace_id = $1 AND t.workspace_id = c.workspace_id)',
        ['contacts c'],
      ],
      [
        'a WITH query',
        'WITH found AS (SELECT id FROM contacts) SELECT 1 FROM tags t, found WHERE t.workspace_id = $1',
        ['contacts'],
      ],
      [
        'a table that a WITH query of another level hides',
        'SELECT 1 FROM tags WHERE workspace_id = $1 AND id IN (WITH contacts AS (SELECT 1 AS id) SELECT id FROM contacts) AND id IN (SELECT id FROM contacts)',
        ['contacts'],
      ],
      [
        'one side of a set operation',
        'SELECT id FROM tags WHERE workspace_id = $1 UNION SELECT id FROM lists',
        ['lists'],
      ],
      [
        'a parameter of a function',
        'SELECT 1 FROM unnest($2::bigint[]) x (workspace_id) JOIN tags t ON t.workspace_id = x.workspace_id WHERE t.id = $1',
        ['tags t'],
      ],
      ['an UPDATE that only sets the workspace', 'UPDATE contacts SET workspace_id = $1 WHERE id = $2', ['contacts']],
      [
        'an UPDATE with a foreign FROM',
        'UPDATE contacts c SET name = l.name FROM lists l WHERE c.workspace_id = $1 AND l.id = c.list_id',
        ['lists l'],
      ],
      ['a DELETE', 'DELETE FROM contacts WHERE id = $1', ['contacts']],
      [
        'a DELETE with a foreign USING',
        'DELETE FROM contacts c USING lists l WHERE c.workspace_id = $1 AND l.id = c.list_id',
        ['lists l'],
      ],
      ['an INSERT with another workspace', 'INSERT INTO tags (workspace_id, name) VALUES ($1, $2), ($3, $1)', ['tags']],
      ['an INSERT without names of columns', 'INSERT INTO tags VALUES ($1, $2)', ['tags']],
      [
        'an INSERT with SELECT',
        'INSERT INTO tags (workspace_id, name) SELECT w, $1 FROM unnest($2::bigint[]) w',
        ['tags'],
      ],
      [
        'an INSERT of what a foreign table has',
        'INSERT INTO tags (workspace_id, name) SELECT l.workspace_id, l.name FROM lists l WHERE l.id = $1',
        ['lists l', 'tags'],
      ],
      [
        'a sub-select in VALUES',
        'INSERT INTO tags (workspace_id, name) VALUES ($1, (SELECT name FROM lists WHERE id = $2))',
        ['lists'],
      ],
      [
        'a sub-select after ON CONFLICT',
        'INSERT INTO tags (workspace_id) VALUES ($1) ON CONFLICT DO UPDATE SET name = (SELECT name FROM lists LIMIT 1)',
        ['lists'],
      ],
      [
        'a sub-select after RETURNING',
        'DELETE FROM tags WHERE workspace_id = $1 RETURNING (SELECT count(*) FROM lists)',
        ['lists'],
      ],
      [
        'one of two uses of a table',
        'SELECT 1 FROM tags one JOIN tags other ON other.id = one.id WHERE one.workspace_id = $1',
        ['tags other'],
      ],
      [
        'a second table after the mark of scope.crossTenant',
        'SELECT $1 FROM /* cross-tenant */ tags t JOIN lists l ON l.workspace_id = t.workspace_id',
        ['lists l'],
      ],
      ['a statement of another kind', 'TRUNCATE TABLE contacts', ['contacts']],
      ['COPY', 'COPY contacts (email) FROM STDIN', ['contacts']],
      ['LOCK', 'LOCK contacts IN SHARE MODE', ['contacts']],
      [
        'a comparison in a string or a comment',
        `SELECT 1 FROM contacts WHERE name = ' AND workspace_id = $1' /* AND workspace_id = $1 */ -- AND workspace_id = $1`,
        ['contacts'],
      ],
    ])('%s', (_, text, tables) => {
      expect(check(text)).toEqual(tables);
    });
  });

  it.each(['SELECT (1', 'SELECT 1)', "SELECT 'open", 'SELECT /* open', 'SELECT CASE WHEN 1)', 'SELECT {'])(
    'throws on what is not SQL: %s',
    (text) => {
      expect(() => check(text)).toThrow('This SQL');
    },
  );
});
