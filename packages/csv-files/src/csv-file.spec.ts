import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { openCsv, type CsvRecord } from './csv-file.js';
import { NotCsv } from './not-csv.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'csv-'));
});
afterAll(() => rm(folder, { recursive: true }));

let uploads = 0;
async function upload(content: string | Buffer): Promise<string> {
  uploads += 1;
  const path = join(folder, `${uploads}.csv`);
  await writeFile(path, content);
  return path;
}

async function read(content: string | Buffer): Promise<{ columns: readonly string[]; records: CsvRecord[] }> {
  const file = await openCsv(await upload(content));
  const records: CsvRecord[] = [];
  for await (const batch of file.batches()) records.push(...batch);
  return { columns: file.columns, records };
}

async function cellsOf(content: string | Buffer): Promise<(readonly string[])[]> {
  const { columns, records } = await read(content);
  return [columns, ...records.map((record) => (record.error === undefined ? record.cells : [record.error]))];
}

const refusal = (content: string | Buffer): Promise<string> =>
  read(content).then(
    () => 'accepted',
    (error: unknown) => (error instanceof NotCsv ? error.message : `not a NotCsv: ${String(error)}`),
  );

describe('encoding of a CSV file', () => {
  const people = 'Prénom;Ville\nZoë;Orléans – 5 €\n';
  const expected = [
    ['Prénom', 'Ville'],
    ['Zoë', 'Orléans – 5 €'],
  ];

  it.each([
    ['UTF-8', Buffer.from(people)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${people}`)],
    ['UTF-16, little end first', iconv.encode(people, 'utf-16le', { addBOM: true })],
    ['UTF-16, big end first', iconv.encode(people, 'utf-16be', { addBOM: true })],
    ['Windows-1252', iconv.encode(people, 'windows-1252')],
  ])('can be %s', async (_name, bytes) => {
    expect(await cellsOf(bytes)).toEqual(expected);
  });

  it('detects Windows-1252 even if only the last byte shows it', async () => {
    const rows = 'a@b.example,Ann\n'.repeat(20_000);
    const cells = await cellsOf(iconv.encode(`email,name\n${rows}z@b.example,Zoé`, 'windows-1252'));
    expect(cells.at(-1)).toEqual(['z@b.example', 'Zoé']);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'])(
    'decodes characters of %s that are split across two reads of the file',
    async (encoding) => {
      const name = 'é😀'.repeat(40_000);
      for (const padding of ['', 'x', 'xx', 'xxx']) {
        const text = `email,name\na@b.example,${padding}${name}`;
        const cells = await cellsOf(iconv.encode(text, encoding, { addBOM: true }));
        expect(cells).toContainEqual(['a@b.example', `${padding}${name}`]);
      }
    },
  );
});

describe('a file with bytes that are not valid in its encoding', () => {
  const bytesOf = (...parts: (string | number)[]): Buffer =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

  it.each([
    ['one of 0xFF', bytesOf('email,name\na@b.example,Zoé Łuk\nb@b.example,B', 0xff, 'n\nc@b.example,Ann')],
    [
      'one that begins a character',
      bytesOf('email,name\na@b.example,Zoé Łuk\nb@b.example,B', 0xc3, 'n\nc@b.example,Ann'),
    ],
    [
      'as many as there are accents',
      bytesOf('email,name\na@b.example,Zoé Łuk\nb@b.example,B', 0xe9, 0xe9, 'n\nc@b.example,Ann'),
    ],
    [
      'a byte order mark, and no other accents',
      bytesOf('\ufeffemail,name\na@b.example,Zo\nb@b.example,B', 0xe9, 'n\nc@b.example,Ann'),
    ],
    ['half a character at the end', bytesOf('email,name\na@b.example,Zoé\nc@b.example,Ann\nb@b.example,B', 0xe2, 0x82)],
  ])('is UTF-8 with an error for the cell: %s', async (_name, content) => {
    const { records } = await read(content);
    const error = 'The cell has bytes that are no text in UTF-8, the encoding of the file.';
    expect(records.map(({ cells, cellErrors }) => [cells[0], cellErrors?.get(1)]).sort()).toEqual([
      ['a@b.example', undefined],
      ['b@b.example', error],
      ['c@b.example', undefined],
    ]);
    expect(records[0]?.cells[1]).toMatch(/^Zoé?( Łuk)?$/);
  });

  it('is UTF-8 if the broken byte is the only one in thousands of rows', async () => {
    const rows = 'a@b.example,Zoé\n'.repeat(20_000);
    const { records } = await read(bytesOf(`email,name\n${rows}`, 'z@b.example,', 0xe9, 't'));
    expect(records.filter(({ cellErrors }) => cellErrors)).toEqual([expect.objectContaining({ row: 20_002 })]);
    expect(records[0]?.cells).toEqual(['a@b.example', 'Zoé']);
  });

  it('is Windows-1252 if its accents are valid in that, although some are valid in UTF-8 too', async () => {
    const text = 'nom,société\nZoé,«\u00a0CAFÉ»\nRené,Été\n';
    expect(await cellsOf(iconv.encode(text, 'windows-1252'))).toEqual([
      ['nom', 'société'],
      ['Zoé', '«\u00a0CAFÉ»'],
      ['René', 'Été'],
    ]);
  });

  it('has an error for the cell with a byte that Windows-1252 does not define', async () => {
    const { records } = await read(bytesOf('email,name\na@b.example,Zo', 0xe9, '\nb@b.example,M', 0x81, 'ller'));
    expect(records.map(({ cellErrors }) => cellErrors?.get(1))).toEqual([
      undefined,
      'The cell has bytes that are no text in Windows-1252, the encoding of the file.',
    ]);
  });

  it('has an error for the cell with half a character of UTF-16', async () => {
    const { records } = await read(bytesOf(0xff, 0xfe, 'a\0\n\0', 0x3d, 0xd8, '\n\0b\0'));
    expect(records.map(({ cells, cellErrors }) => [cells, cellErrors?.size])).toEqual([
      [['\ufffd'], 1],
      [['b'], undefined],
    ]);
  });

  it('has no errors if it has replacement characters that are valid', async () => {
    const { records } = await read('email,name\na@b.example,Zo\ufffd');
    expect(records).toEqual([{ row: 2, cells: ['a@b.example', 'Zo\ufffd'] }]);
  });
});

describe('openCsv with a file that is not CSV', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const loneSurrogate = Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x3d, 0xd8, 0x0a, 0x00]);

  it.each([
    ['an empty file', '', 'The file is empty.'],
    ['a byte order mark alone', '\ufeff', 'The file is empty.'],
    ['blank lines alone', '\n \r\n\n', 'The file is empty.'],
    ['an image', png, 'The file is binary, not a CSV.'],
    ['UTF-16 without its mark', iconv.encode('email', 'utf-16le'), 'The file is binary, not a CSV.'],
    ['a NUL in the last row', `email\n${'a@b.example\n'.repeat(9_000)}\0`, 'The file is binary, not a CSV.'],
    ['a header with half a character of UTF-16', loneSurrogate, 'The header has bytes that are no text in UTF-16.'],
    [
      'a header with a byte that is not valid after a byte order mark',
      Buffer.from([0xef, 0xbb, 0xbf, 0xe9]),
      'The header has bytes that are no text in UTF-8.',
    ],
    [
      'a quote open in the header',
      'email,"name\na@b.example,Ann',
      'The file has a quote that is never closed, in row 1.',
    ],
  ])('refuses %s', async (_name, content, reason) => {
    expect(await refusal(content)).toBe(reason);
  });

  it('names the row of a quote that is never closed, even after thousands of rows', async () => {
    const before = 'a@b.example,Ann\n'.repeat(5_000);
    const reason = await refusal(`email,name\n\n${before}z@b.example,"Zoé\n${before}`);
    expect(reason).toBe('The file has a quote that is never closed, in row 5002.');
  });

  it.each([
    ['a header of 10 million cells', ','.repeat(10_000_000), 1],
    ['a row of 1,001 cells', `email\na@b.example\n${','.repeat(1_000)}\nb@b.example`, 3],
  ])('refuses %s', async (_name, content, row) => {
    expect(await refusal(content)).toBe(`The file can have at most 1,000 columns; row ${row} has more.`);
  });

  it('accepts 1,000 columns', async () => {
    expect((await read(`${'name,'.repeat(999)}\n${'a,'.repeat(999)}a`)).records).toHaveLength(1);
  });

  it('does not hide that the file does not exist', async () => {
    await expect(openCsv(join(folder, 'absent.csv'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('delimiter detection', () => {
  it.each([
    ['comma', 'a,b,c\n1,2;2,3', ['1', '2;2', '3']],
    ['semicolon', 'a;b;c\n1;2,2;3', ['1', '2,2', '3']],
    ['tab', 'a\tb\tc\n1\t\t3', ['1', '', '3']],
    ['one column', 'email\na@b.example', ['a@b.example']],
    ['other delimiters inside quotes of the header', '"a,b,c";"d\ne,f"\n1;2', ['1', '2']],
    ['blank lines before the header', '\r\n\r\na;b\n1;2', ['1', '2']],
  ])('handles: %s', async (_name, content, row) => {
    expect((await cellsOf(content))[1]).toEqual(row);
  });
});

describe('CSV records', () => {
  it('end at every kind of line break, also mixed in one file', async () => {
    expect(await cellsOf('a,b\r\n1,2\n3,4\r5,6')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ]);
  });

  it('are counted without blank lines and without records of blank cells', async () => {
    const { columns, records } = await read(',\n\na,b\n\n1,2\n   \n,\n" ","\n"\n\u00a0,,\n\n3,4\n,\n');
    expect(columns).toEqual(['a', 'b']);
    expect(records).toEqual([
      { row: 2, cells: ['1', '2'] },
      { row: 3, cells: ['3', '4'] },
    ]);
  });

  it('may be missing after the header', async () => {
    expect(await read('email,name')).toEqual({ columns: ['email', 'name'], records: [] });
  });

  it('have fewer cells if the record is short, and lose surplus empty cells', async () => {
    expect(await cellsOf('a,b,c\n1\n1,2,3,,\n')).toEqual([['a', 'b', 'c'], ['1'], ['1', '2', '3']]);
  });

  it('have an error if they have too many cells, and do not affect the next record', async () => {
    const { records } = await read('a,b\n1,2,3\n4,5\n');
    expect(records).toEqual([
      { row: 2, cells: ['1', '2', '3'], error: 'The row has 3 cells, the header has 2.' },
      { row: 3, cells: ['4', '5'] },
    ]);
  });

  it('have trimmed column names and cells, also inside quotes', async () => {
    expect(await cellsOf(' a ," b "\n\u00a01 , "2, 3"\n')).toEqual([
      ['a', 'b'],
      ['1', '2, 3'],
    ]);
  });

  it.each([
    ['5" pipe', '5" pipe'],
    ['"5"" pipe"', '5" pipe'],
    ['"Bob" Lee', '"Bob" Lee'],
    ['"Bob" ', 'Bob'],
    ['"Lee, Zoé" \t ', 'Lee, Zoé'],
    [' "the ""boss""\nof all" ', 'the "boss"\nof all'],
    ['"Bob" "Lee" ', '"Bob" "Lee"'],
    ['"""Bob"" "', '"Bob"'],
    ['"" ', ''],
    ['"two\r\nlines"', 'two\r\nlines'],
    ['""', ''],
  ])('have the cell %j read as %j', async (written, meant) => {
    expect(await cellsOf(`a,b,c\n1,${written},3\n`)).toContainEqual(['1', meant, '3']);
  });

  it('are read in batches, again from the start on each call', async () => {
    const file = await openCsv(await upload(`n\n${Array.from({ length: 1_200 }, (_, n) => n).join('\n')}`));
    const reading = async (): Promise<CsvRecord[][]> => {
      const batches: CsvRecord[][] = [];
      for await (const batch of file.batches()) batches.push(batch);
      return batches;
    };
    const first = await reading();
    expect(first.map((batch) => batch.length)).toEqual([500, 500, 200]);
    expect(first.flat().at(-1)).toEqual({ row: 1_201, cells: ['1199'] });
    expect(await reading()).toEqual(first);
  });
});

describe('CSV columns', () => {
  it('are found by their exact name first', async () => {
    const file = await openCsv(await upload('email,Email , Name,,\n'));
    expect(file.columns).toEqual(['email', 'Email', 'Name', '', '']);
    expect(['Email', 'email', 'Name', ''].map((name) => file.positionOf(name))).toEqual([1, 0, 2, undefined]);
  });

  it.each([
    ['E-mail', 'email'],
    ['EMAIL', 'email'],
    ['First name', 'first_name'],
    ['FIRST\u00a0NAME', 'First Name'],
    ['first  name', 'First name'],
    ['"First\r\nname"', 'First\nname'],
    ['\u200bfirst‑name', 'first name'],
    ['"E-mail\naddress"', 'E-mail\r\naddress'],
    ['Prénom', 'PRE\u0301NOM'],
  ])('named %j are found as %j', async (header, name) => {
    expect((await openCsv(await upload(`city,${header}\n`))).positionOf(name)).toBe(1);
  });

  it.each(['e.mail', 'mail', 'emails', 'émail', '', '-'])('named email are not found as %j', async (name) => {
    expect((await openCsv(await upload('email,-\n'))).positionOf(name)).toBe(name === '-' ? 1 : undefined);
  });

  it('may share a name as long as positionOf is not called with it', async () => {
    const file = await openCsv(await upload('email,note,note,Phone,PHONE\n'));
    expect(file.positionOf('email')).toBe(0);
    expect(file.positionOf('Phone')).toBe(3);
    const problemOf = (name: string) => () => file.positionOf(name);
    expect(problemOf('note')).toThrow(expect.objectContaining({ message: 'The file has two columns "note".' }));
    expect(problemOf('phone')).toThrow(
      expect.objectContaining({ message: 'The file has two columns "Phone" and "PHONE".' }),
    );
  });
});

it('openCsv reads every file that csv-stringify writes', async () => {
  // Random strings rarely contain the characters with a meaning in CSV, so a second source draws from these.
  const cell = fc
    .oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.stringMatching(/^[ab"',;\t\r\n é€]{0,8}$/))
    .map((text) => text.replaceAll('\0', ''));
  const table = fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));
  const spelling = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t'),
    record_delimiter: fc.constantFrom('\n', '\r\n', '\r'),
    bom: fc.boolean(),
    quoted: fc.boolean(),
  });
  const encoding = fc.constantFrom('utf-8', 'utf-16le', 'utf-16be');

  await fc.assert(
    fc.asyncProperty(table, spelling, encoding, async (rows, options, charset) => {
      const text = stringify(rows, { ...options, bom: false, quoted_match: /[",;\t\r\n]/ });
      const bytes = iconv.encode(text, charset, { addBOM: options.bom || charset !== 'utf-8' });
      const cells = rows.map((row) => row.map((value) => value.trim()));
      fc.pre(cells.some((row) => row.some(Boolean)));
      expect(await cellsOf(bytes)).toEqual(cells.filter((row) => row.some(Boolean)));
    }),
    { numRuns: 300 },
  );
});
