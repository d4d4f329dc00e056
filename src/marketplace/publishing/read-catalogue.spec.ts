import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogueFolders, packFile, templateFile } from '../../../test/support/catalogue-folder.js';
import { InvalidCatalogue } from './invalid-catalogue.js';
import { readCatalogue } from './read-catalogue.js';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('readCatalogue', () => {
  const folders = new CatalogueFolders();
  afterAll(() => folders.remove());

  /** The lines of the error message; none if the catalogue is valid. */
  async function errorLines(files: Readonly<Record<string, string | Uint8Array>>): Promise<string[]> {
    const folder = await folders.with(files);
    return readCatalogue(folder).then(
      () => [],
      (error: unknown) => {
        if (!(error instanceof InvalidCatalogue)) throw error;
        return error.message.split('\n');
      },
    );
  }

  it('reads templates and packs from all sub-folders, ordered by path, and ignores other files', async () => {
    const folder = await folders.with({
      'b.html': templateFile({ slug: 'b' }),
      'en/deep/a.html': templateFile({ slug: 'a' }),
      'packs/one.yaml': packFile(['a', 'b'], { slug: 'a' }),
      'packs/two.yml': packFile(['not-in-this-folder'], { slug: 'two' }),
      'README.md': 'nothing of the kind',
      'logo.png': latin1('\x89PNG\0'),
    });
    await mkdir(join(folder, 'a-folder.html'));
    const { templates, packs } = await readCatalogue(folder);
    expect(templates.map(({ slug }) => slug)).toEqual(['b', 'a']);
    expect(packs.map(({ fields, parts }) => [fields.slug, parts.map(({ slug }) => slug)])).toEqual([
      ['a', ['a', 'b']],
      ['two', ['not-in-this-folder']],
    ]);
  });

  it('returns the fields and the body of a file unchanged, and the defaults of absent fields', async () => {
    const body = '<p title="{{ a }}">It’s {{ b | default: "x" }} & 😀</p>\n\n<style>.a{b:c}</style>';
    const fields = { name: `"O'Hara's \\"best\\" — été"`, subject: "'It''s {{ a }}'", variables: '[z, a]' };
    const { templates } = await readCatalogue(await folders.with({ 'a.html': templateFile(fields, `\n${body}\n`) }));
    expect(templates).toEqual([
      {
        slug: 'a-letter',
        name: `O'Hara's "best" — été`,
        description: 'What it is for',
        category: 'other',
        locale: 'en',
        subject: "It's {{ a }}",
        variables: ['z', 'a'],
        is_featured: false,
        is_published: true,
        body,
      },
    ]);
  });

  it('accepts a byte order mark and CRLF, and reports the right lines in such files', async () => {
    const windows = (text: string): string => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
    const folder = await folders.with({
      'a.html': windows(templateFile({}, '<p>one</p>\n<p>two</p>')),
      'p.yaml': windows(packFile(['a-letter'])),
    });
    const { templates, packs } = await readCatalogue(folder);
    expect(templates).toMatchObject([{ slug: 'a-letter', name: 'A letter', body: '<p>one</p>\r\n<p>two</p>' }]);
    expect(packs).toMatchObject([{ fields: { slug: 'a-letter', name: 'A pack' } }]);
    expect(await errorLines({ 'a.html': windows(templateFile({}, '<p>\n{{ 1 2 }}')) })).toEqual([
      expect.stringMatching(/^a\.html:10: column \d+: /),
    ]);
    expect(await errorLines({ 'p.yaml': windows(packFile(['a', 'B B'])) })).toEqual([
      expect.stringMatching(/^p\.yaml:7: templates\.1: /),
    ]);
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ['has no front matter', '<p>Hello</p>', /^a\.html:1: .*front matter/],
    ['is empty', '', /^a\.html:1: .*front matter/],
    ['does not end its front matter', '---\nslug: a\n<p>Hello</p>', /^a\.html:1: .*front matter/],
    ['has front matter that is not YAML', templateFile({ name: '"open' }), /^a\.html:\d+: .*quote/],
    ['has a field twice', templateFile({ category: 'other\nslug: b' }), /^a\.html:7: .*unique/],
    ['has front matter without fields', '---\njust words\n---\n<p>x</p>', /^a\.html:2: there must be fields/],
    [
      'contains an alias of another part of the YAML',
      templateFile({ name: '*bold' }),
      /^a\.html:5: \*bold must be in quotes/,
    ],
    ['contains an alias of itself', templateFile({ variables: '&a [*a]' }), /^a\.html:8: \*a must be in quotes/],
    ['has no slug', templateFile({ slug: null }), /^a\.html:2: slug: /],
    ['has a slug with invalid characters', templateFile({ slug: 'Été' }), /^a\.html:2: slug: .*hyphens/],
    ['has a long slug', templateFile({ slug: 'a'.repeat(101) }), /^a\.html:2: slug: /],
    ['has no name', templateFile({ name: null }), /^a\.html:2: name: /],
    ['has a blank name', templateFile({ name: '" "' }), /^a\.html:5: name: /],
    ['has a long name', templateFile({ name: 'x'.repeat(256) }), /^a\.html:5: name: /],
    ['has a number for a name', templateFile({ name: '2026' }), /^a\.html:5: name: /],
    ['has no description', templateFile({ description: null }), /^a\.html:2: description: /],
    ['has no locale', templateFile({ locale: null }), /^a\.html:2: locale: /],
    ['has an unknown locale', templateFile({ locale: 'de' }), /^a\.html:4: locale: /],
    ['has no category', templateFile({ category: null }), /^a\.html:2: category: /],
    ['has an unknown category', templateFile({ category: 'spam' }), /^a\.html:6: category: /],
    ['has no subject', templateFile({ subject: null }), /^a\.html:2: subject: /],
    ['has a long subject', templateFile({ subject: 'x'.repeat(501) }), /^a\.html:7: subject: /],
    [
      'has a subject with a malformed variable',
      templateFile({ subject: '"Hi {{ a"' }),
      /^a\.html:7: subject: .*template/,
    ],
    [
      'has a string instead of a list of variables',
      templateFile({ variables: 'first_name' }),
      /^a\.html:8: variables: /,
    ],
    ['has an invalid variable name', templateFile({ variables: '[a, 1]' }), /^a\.html:8: variables\.1: /],
    ['has a string for a boolean', templateFile({ is_featured: '"yes"' }), /^a\.html:8: is_featured: /],
    ['has a number for a boolean', templateFile({ is_published: '1' }), /^a\.html:8: is_published: /],
    ['has no body', templateFile({}, ' \n '), /^a\.html:9: there is no HTML/],
    ['has an unclosed variable', templateFile({}, '\n\n<p>\n{{ a'), /^a\.html:12: column 1: /],
    ['has a malformed variable', templateFile({}, '<p>{{ a b }}</p>'), /^a\.html:9: column 4: /],
    ['is not UTF-8', latin1(templateFile({ name: 'Été' })), /^a\.html:5: .*UTF-8/],
    ['is not UTF-8 in its body', latin1(templateFile({}, '<p>\n<p>Été')), /^a\.html:10: .*UTF-8/],
    ['is binary', templateFile({}, '<p>a\0b</p>'), /^a\.html:9: .*NUL/],
  ])('rejects a template that %s', async (_what, file, line) => {
    expect(await errorLines({ 'a.html': file })).toEqual([expect.stringMatching(line)]);
  });

  it.each<[string, string, RegExp]>([
    ['is empty', '', /^p\.yaml:1: there must be fields/],
    ['is a list', '- a\n- b\n', /^p\.yaml:1: there must be fields/],
    ['is not YAML', 'slug: [a\nname: b\n', /^p\.yaml:2: /],
    ['has no templates', packFile([]), /^p\.yaml:5: templates: /],
    ['has no field "templates"', packFile(['a']).replace(/templates:[^]*/, ''), /^p\.yaml:1: templates: /],
    ['has a template twice', packFile(['a', 'b', 'a']), /^p\.yaml:6: templates: /],
    ['has an object instead of a slug', packFile(['a', '{ a: 1 }']), /^p\.yaml:7: templates\.1: /],
    ['has too many templates', packFile(Array.from({ length: 51 }, (_, n) => `a-${n}`)), /^p\.yaml:6: templates: /],
    ['has an unknown locale', packFile(['a'], { locale: 'it' }), /^p\.yaml:3: locale: /],
    ['has an invalid slug', packFile(['a'], { slug: 'a--b' }), /^p\.yaml:1: slug: /],
  ])('rejects a pack that %s', async (_what, file, line) => {
    expect(await errorLines({ 'p.yaml': file })).toEqual([expect.stringMatching(line)]);
  });

  it('reports all errors of all files', async () => {
    const found = await errorLines({
      'a.html': templateFile({ locale: 'de', category: 'spam' }),
      'b.html': templateFile({ slug: 'b' }),
      'c/c.html': templateFile({ slug: 'b' }),
      'p.yaml': packFile(['b'], { name: null }),
      'q.yml': packFile(['b'], { slug: 'b' }),
      'r.yml': packFile(['b'], { slug: 'b' }),
    });
    expect(found).toHaveLength(5);
    expect(found.slice(0, 2).sort()).toEqual([
      expect.stringMatching(/^a\.html:4: locale: /),
      expect.stringMatching(/^a\.html:6: category: /),
    ]);
    expect(found.slice(2)).toEqual([
      'c/c.html:2: slug: b is already used in b.html',
      expect.stringMatching(/^p\.yaml:1: name: /),
      'r.yml:1: slug: b is already used in q.yml',
    ]);
  });

  it('rejects a folder without templates and packs', async () => {
    const folder = await folders.with({ 'notes.txt': 'x' });
    await expect(readCatalogue(folder)).rejects.toThrow(`${folder}:1: the folder contains no .html and no .yaml files`);
  });

  it('reports folders and files that cannot be read', async () => {
    const folder = await folders.with({ 'a.html': templateFile() });
    await expect(readCatalogue(join(folder, 'nowhere'))).rejects.toThrow(/nowhere:1: .*ENOENT/);
    await expect(readCatalogue(join(folder, 'a.html'))).rejects.toThrow(/a\.html:1: .*ENOTDIR/);
    await symlink(join(folder, 'nowhere'), join(folder, 'lost.html'));
    await expect(readCatalogue(folder)).rejects.toThrow(/^lost\.html:1: .*ENOENT/);
  });
});
