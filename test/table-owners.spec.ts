import { accessesIn, entitiesIn, withoutComments } from '../scripts/table-accesses.mjs';

const tables = new Map([
  ['Contact', 'contacts'],
  ['Tag', 'tags'],
  ['List', 'lists'],
]);
const found = (code: string): string[] =>
  [...new Set([...accessesIn(withoutComments(code), tables)].map(([table, kind]) => `${kind} ${table}`))].sort();

describe('the check of who uses which table', () => {
  it.each<[string, string, string[]]>([
    ['a SELECT', 'sql`SELECT 1 FROM contacts c JOIN tags t ON TRUE`', ['reads contacts', 'reads tags']],
    ['an INSERT', 'sql`INSERT INTO contacts (id) SELECT id FROM lists`', ['reads lists', 'writes contacts']],
    ['an UPDATE', 'sql`UPDATE contacts SET name = 1 FROM tags`', ['reads tags', 'writes contacts']],
    ['a DELETE', 'sql`DELETE FROM contacts USING tags`', ['reads tags', 'writes contacts']],
    ['a lock', 'sql`SELECT 1 FROM contacts FOR NO KEY UPDATE`', ['reads contacts']],
    ['a conflict', 'sql`INSERT INTO tags (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1`', ['writes tags']],
    ['a repository that reads', 'scope.of(Contact).find({})', ['reads contacts']],
    ['a repository that writes', 'scope.of(Contact)\n  .update(1, {})', ['writes contacts']],
    ['a comment', '/** UPDATE contacts */\n// FROM tags\nconst none = 1;', []],
    ['a text', `const name = 'contacts';`, []],
    [
      'a read table whose name is a value',
      `const of = (table: 'tags' | 'lists') => sql\`SELECT 1 FROM \${sql.ref(table)}\`;`,
      ['reads lists', 'reads tags'],
    ],
    [
      'a written table whose name is a value',
      `for (const table of ['tags']) sql\`DELETE FROM \${sql.ref(table)}\`;`,
      ['writes tags'],
    ],
    ['a column whose name is a value', `sql\`SELECT \${sql.ref('tags')} FROM contacts\``, ['reads contacts']],
  ])('finds what %s uses', (_what, code, expected) => {
    expect(found(code)).toEqual(expected);
  });

  it('knows the tables of entities by their names', () => {
    const code = `@Entity('contacts')\n@Index('x', ['y'])\nexport class Contact {}\n@Entity({ name: 'tags' })\nexport class Tag {}`;
    expect([...entitiesIn(code)]).toEqual([
      ['Contact', 'contacts'],
      ['Tag', 'tags'],
    ]);
  });
});
