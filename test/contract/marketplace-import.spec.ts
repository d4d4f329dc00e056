import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { CatalogueFolders, packFile, templateFile } from '../support/catalogue-folder.js';
import { CommandRunner, OutreachProcess } from '../support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const UNPRIVILEGED_ID = 65_534;

describe('outreach marketplace import', () => {
  const folders = new CatalogueFolders();
  const commands = new CommandRunner();
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase();
    env = { DATABASE_URL: database.url, ENCRYPTION_KEY: 'a key that only tests use' };
  });
  afterAll(async () => {
    commands.stop();
    await database.drop();
    await folders.remove();
  });

  const own = async (): Promise<string[]> => {
    const rows = await database.query<{ slug: string }>(
      `SELECT slug FROM marketplace_templates WHERE origin = 'operator'
       UNION ALL SELECT slug FROM marketplace_packs WHERE origin = 'operator' ORDER BY 1`,
    );
    return rows.map(({ slug }) => slug);
  };

  it('publishes a folder and prints the number of templates and packs', async () => {
    const folder = await folders.with({
      'fr/une lettre.html': templateFile({ slug: 'lettre', locale: 'fr', name: 'Été' }),
      'en/letter.html': templateFile({ slug: 'letter' }),
      'packs/pack.yml': packFile(['letter', 'intro-one-question'], { slug: 'my-pack' }),
    });
    const json = await commands.run(['marketplace', 'import', folder, '--json'], env);
    expect(json).toEqual({ code: 0, stdout: '{"templates":2,"packs":1}\n', stderr: '' });
    expect(await own()).toEqual(['letter', 'lettre', 'my-pack']);
    const again = await commands.run(['marketplace', 'import', 'en'], env, { cwd: folder });
    expect(again).toEqual({ code: 0, stdout: 'Published templates: 1, packs: 0.\n', stderr: '' });
  });

  it('publishes nothing if any file has an error, and prints one line per error', async () => {
    const before = await own();
    const folder = await folders.with({
      'good.html': templateFile({ slug: 'good' }),
      'bad.html': templateFile({ slug: 'bad', locale: 'de' }, '<p>'),
      'worse.html': templateFile({ slug: 'worse' }, '<p>\n{{ open'),
      'pack.yaml': packFile(['good'], { slug: 'good', description: '""' }),
    });
    const { code, stdout, stderr } = await commands.run(['marketplace', 'import', folder, '--json'], env);
    expect([code, stdout, stderr.split('\n')]).toEqual([
      1,
      '',
      [
        expect.stringMatching(/^bad\.html:4: locale: /),
        expect.stringMatching(/^pack\.yaml:2: description: /),
        expect.stringMatching(/^worse\.html:10: column 1: /),
        '',
      ],
    ]);
    expect(await own()).toEqual(before);
  });

  it('publishes nothing if a pack contains a template that does not exist', async () => {
    const before = await own();
    const folder = await folders.with({
      'good.html': templateFile({ slug: 'good' }),
      'p.yaml': packFile(['good', 'x']),
    });
    const { code, stdout, stderr } = await commands.run(['marketplace', 'import', folder], env);
    expect([code, stdout, stderr]).toEqual([1, '', 'p.yaml:7: templates: the template x does not exist\n']);
    expect(await own()).toEqual(before);
  });

  it('exits with 1 if the folder does not exist, is a file, is empty or cannot be read', async () => {
    const folder = await folders.with({ 'closed/a.html': templateFile(), 'notes.txt': 'x' });
    await mkdir(join(folder, 'empty'));
    const refuse = async (name: string, reason: RegExp, run = commands.run.bind(commands)) => {
      const result = await run(['marketplace', 'import', join(folder, name), '--json'], env);
      expect(result).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(reason) });
    };
    await chmod(join(folder, 'closed'), 0);
    await chmod(folder, 0o755);
    // Root may read every folder.
    const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
    const asUser: CommandRunner['run'] = (args, settings) => new OutreachProcess(args, settings, user).ended;
    const [withoutFolder] = await Promise.all([
      commands.run(['marketplace', 'import'], env),
      refuse('nowhere', /nowhere:1: ENOENT.*\n$/),
      refuse('notes.txt', /notes\.txt:1: ENOTDIR.*\n$/),
      refuse('empty', /empty:1: the folder contains no \.html and no \.yaml files\n$/),
      refuse('closed', /closed:1: EACCES.*\n$/, asUser),
    ]);
    await chmod(join(folder, 'closed'), 0o700);
    expect(withoutFolder).toMatchObject({ code: 1, stdout: '' });
  });

  it('runs two concurrent imports one after the other', async () => {
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) =>
        folders.with({
          'a.html': templateFile({ slug: 'both', name }),
          'b.html': templateFile({ slug: name }),
          'p.yaml': packFile(['both', name], { slug: 'both', name }),
        }),
      ),
    );
    const lock = await BlockingTransaction.begin(
      database,
      'LOCK TABLE marketplace_templates, marketplace_packs IN ACCESS EXCLUSIVE MODE',
      [],
    );
    const first = new OutreachProcess(['marketplace', 'import', `${one}`], env);
    await lock.blocks(1);
    const second = commands.run(['marketplace', 'import', `${two}`], env);
    await lock.blocks(2);
    await lock.end();
    const ended = await Promise.all([first.ended, second]);
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const [both] = await database.query<{ template: string; pack: string; parts: string[] }>(
      `SELECT template.name AS template, pack.name AS pack, ARRAY(
         SELECT each.slug FROM marketplace_pack_templates part JOIN marketplace_templates each ON each.id = template_id
         WHERE pack_id = pack.id ORDER BY position) AS parts
       FROM marketplace_templates template JOIN marketplace_packs pack ON pack.slug = template.slug
       WHERE template.slug = 'both'`,
    );
    expect(both).toEqual({ template: both?.pack, pack: both?.pack, parts: ['both', both?.pack] });
  });
});
