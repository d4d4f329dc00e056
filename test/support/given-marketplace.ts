import type { TestDatabase } from './test-database.js';

let numbered = 0;

/** A marketplace that contains only the records that a test inserts. */
export class GivenMarketplace {
  private constructor(private readonly database: TestDatabase) {}

  static async empty(database: TestDatabase): Promise<GivenMarketplace> {
    await database.query('DELETE FROM marketplace_packs');
    await database.query('DELETE FROM marketplace_templates');
    return new GivenMarketplace(database);
  }

  /** Inserts a template and returns its ID. `fields` are columns. */
  template(fields: object = {}): Promise<number> {
    return this.insert('marketplace_templates', {
      category: 'other',
      subject: 'Hello {{ first_name }}',
      body: '<p>Hello {{ first_name | default: "there" }}</p>',
      variables: [],
      ...fields,
    });
  }

  /** Inserts a pack of templates, in that order, and returns its ID. */
  async pack(templates: readonly number[], fields: object = {}): Promise<number> {
    const pack = await this.insert('marketplace_packs', fields);
    await this.database.query(
      `INSERT INTO marketplace_pack_templates (pack_id, position, template_id)
       SELECT $1, position, template_id FROM unnest($2::bigint[]) WITH ORDINALITY part (template_id, position)`,
      [pack, templates],
    );
    return pack;
  }

  async downloads(table: 'templates' | 'packs', id: number): Promise<number> {
    const [row] = await this.database.query<{ downloads_count: string }>(
      `SELECT downloads_count FROM marketplace_${table} WHERE id = $1`,
      [id],
    );
    return Number(row?.downloads_count);
  }

  private async insert(table: string, fields: object): Promise<number> {
    numbered += 1;
    const columns: Readonly<Record<string, unknown>> = {
      slug: `record-${numbered}`,
      name: `Record ${numbered}`,
      description: 'What it is for',
      locale: 'en',
      is_featured: false,
      is_published: true,
      origin: 'operator',
      ...fields,
    };
    const names = Object.keys(columns);
    const [row] = await this.database.query<{ id: string }>(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
       RETURNING id`,
      Object.values(columns),
    );
    return Number(row?.id);
  }
}
