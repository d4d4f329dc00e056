import { readdir, readFile } from 'node:fs/promises';
import { type IncomingMessage, request as startRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import pg from 'pg';
import { Log } from '@outreach/logging';
import { ContactExport } from '../../src/contacts/export/contact-export.service.js';
import { Database, sql } from '../../src/platform/database/index.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { UNKNOWN_ID } from '../support/expected.js';
import { Given } from '../support/given.js';
import { type PublishedEvent, recordContactEvents } from '../support/published-events.js';
import { stopRecording } from '../support/recorded-events.js';
import { useSharedService } from '../support/service.js';

const TEN_MEGABYTES = 10_485_760;
const EXAMPLE_MAPPING = {
  'mapping[email]': 'Email',
  'mapping[first_name]': 'First name',
  'mapping[last_name]': 'Last name',
  'mapping[company]': 'Company',
  'mapping[job_title]': 'Job title',
  'mapping[phone]': 'Phone',
  'mapping[linkedin_url]': 'LinkedIn',
  'mapping[custom_fields.industry]': 'Industry',
  'mapping[custom_fields.employees]': 'Employees',
};

type Fields = Record<string, string> | [string, string][];

const formOf = (csv: string | Buffer, fields: Fields = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Array.isArray(fields) ? fields : Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([csv]), 'people.csv');
  return form;
};

/** The folders of uploads that this process has not deleted yet. */
const uploads = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`outreach-upload-${process.pid}-`));

const summary = (counts: object) => ({
  import_id: expect.any(Number),
  total: 0,
  imported: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
  errors: [],
  ...counts,
});

const people = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => `person${from + index}@example.com,Name${from + index}\n`).join('');

describe('Import and export of contacts', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;
  let published: PublishedEvent[];

  beforeAll(() => {
    published = recordContactEvents(service);
  });
  afterAll(() => stopRecording(service));
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    published.length = 0;
  });
  afterEach(async () => {
    await eventually(async () => expect(await uploads()).toEqual([]));
  });

  const send = (csv: string | Buffer, fields: Fields = {}, headers = {}): Promise<ApiResponse> =>
    api.post('/contacts/import', formOf(csv, fields), headers);
  const imported = async (csv: string | Buffer, fields: Fields = {}) => {
    const { status, body, data } = await send(csv, fields);
    expect({ status, body }).toEqual({ status: 200, body: { data: expect.any(Object) } });
    expect(data.imported + data.updated + data.skipped + data.failed).toBe(data.total);
    return data;
  };
  const contact = async (email: string): Promise<Schema<'Contact'>> =>
    (await api.get(`/contacts?search=${encodeURIComponent(email)}`)).data[0];
  const count = async (): Promise<number> => (await api.get('/contacts?per_page=1')).body.meta.total;
  const fieldTypes = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await api.get('/custom-fields')).data.map((field: Schema<'CustomField'>) => [field.key, field.type]),
    );
  const refusedFields = ({ status, body }: ApiResponse): string[] => {
    expect(body).toEqual({
      error: 'ValidationError',
      message: expect.any(String),
      errors: expect.any(Object),
      code: 422,
    });
    expect(status).toBe(422);
    return Object.keys(body.errors);
  };

  describe('columns of an import', () => {
    it('fill the fields of the same name; other columns are ignored', async () => {
      const company = await api.post('/companies', { name: 'Acme' });
      const data = await imported(
        'email,first_name,last_name,company,company_id,phone,job_title,linkedin_url,timezone,lifecycle_stage,full_name,Email,id,custom_fields.city,custom_fields.a b\n' +
          `Zoé.M@Example.com,x,,,,,,,,,,,,,\n` +
          `ann@example.com, Ann ,O'Neil,"Acme, Inc.",${company.data.id},+33 6,Boss,https://l.example,Europe/Paris,lead,bounced,z@z.example,7,Nîmes,no\n`,
      );
      expect(data).toMatchObject({ total: 2, imported: 1, failed: 1 });
      expect(await contact('ann')).toMatchObject({
        email: 'ann@example.com',
        first_name: 'Ann',
        last_name: "O'Neil",
        full_name: "Ann O'Neil",
        company: 'Acme, Inc.',
        company_id: company.data.id,
        phone: '+33 6',
        job_title: 'Boss',
        linkedin_url: 'https://l.example',
        timezone: 'Europe/Paris',
        lifecycle_stage: 'lead',
        status: 'active',
        custom_fields: { city: 'Nîmes' },
        subscribed_at: expect.any(String),
        unsubscribed_at: null,
      });
      expect(await fieldTypes()).toEqual({ city: 'text' });
    });

    it('are selected by the mapping alone if there is one', async () => {
      await imported('Mail ;Prénom;first_name;Ville;phone\nann@example.com;Anne;Ann;Nîmes;1\n', {
        'mapping[email]': ' Mail',
        'mapping[first_name]': 'Prénom',
        'mapping[last_name]': 'Prénom',
        'mapping[custom_fields.City-1]': 'Ville',
      });
      expect(await contact('ann')).toMatchObject({
        first_name: 'Anne',
        last_name: 'Anne',
        phone: null,
        custom_fields: { 'City-1': 'Nîmes' },
      });
    });

    it.each([
      [{ 'mapping[email]': 'Mail', 'mapping[first_name]': 'Nom' }, ['mapping.first_name']],
      [{ 'mapping[email]': 'mails' }, ['mapping.email']],
      [{ 'mapping[email]': '' }, ['mapping.email']],
      [{ 'mapping[first_name]': 'Name' }, ['mapping.email']],
      [{ 'mapping[email]': 'Mail', 'mapping[full_name]': 'Name' }, ['mapping.full_name']],
      [{ 'mapping[email]': 'Mail', 'mapping[id]': 'Name' }, ['mapping.id']],
      [{ 'mapping[email]': 'Mail', 'mapping[tags]': 'Name' }, ['mapping.tags']],
      [{ 'mapping[email]': 'Mail', 'mapping[nonsense]': 'Name' }, ['mapping.nonsense']],
      [{ 'mapping[email]': 'Mail', 'mapping[__proto__]': 'Name' }, ['mapping.__proto__']],
      [{ 'mapping[email]': 'Mail', 'mapping[custom_fields.]': 'Name' }, ['mapping.custom_fields.']],
      [{ 'mapping[email]': 'Mail', 'mapping[custom_fields.a b]': 'Name' }, ['mapping.custom_fields.a b']],
      [{ 'mapping[email]': 'Mail', 'mapping[custom_fields.__proto__]': 'Name' }, ['mapping.custom_fields.__proto__']],
      [{ 'mapping[email]': 'Mail', 'mapping[custom_fields][city]': 'Name' }, ['mapping.custom_fields']],
      [{ 'mapping[email][]': 'Mail' }, ['mapping.email']],
      [{ mapping: 'Mail' }, ['mapping']],
      [{ 'mapping[]': 'Mail' }, ['mapping']],
      [
        { 'mapping[email]': 'x', 'mapping[phone]': 'y', 'lists[]': String(UNKNOWN_ID), 'tags[0]': String(UNKNOWN_ID) },
        ['mapping.email', 'mapping.phone', 'lists.0', 'tags.0'],
      ],
      [{}, ['mapping.email']],
    ])('are refused with the mapping %j, naming %j', async (fields, expected) => {
      expect(refusedFields(await send('Mail,Name\nann@example.com,Ann\n', fields)).sort()).toEqual(expected.sort());
      expect(await count()).toBe(0);
    });

    it('are named if a requested column is missing, and an unknown field with the most similar one', async () => {
      const messages = async (fields: Record<string, string>) => (await send('Mail, Name\n', fields)).body.errors;
      expect(await messages({ 'mapping[email]': 'E-mail', 'mapping[phone]': 'Tel' })).toEqual({
        'mapping.email': ['The file has no such column. Its columns are "Mail", "Name".'],
        'mapping.phone': ['The file has no such column. Its columns are "Mail", "Name".'],
      });
      expect(await messages({})).toEqual({
        'mapping.email': ['A column with email addresses is required: name it. Its columns are "Mail", "Name".'],
      });
      expect(await messages({ 'mapping[email]': 'Mail', 'mapping[firstname]': 'Name' })).toEqual({
        'mapping.firstname': ['firstname is not a known field. Did you mean first_name?'],
      });
    });

    it('have a header of limited length, and messages show the beginning of a long name', async () => {
      const long = 'n'.repeat(300);
      const { body } = await send(`email,${long},${long}\n`, { 'mapping[email]': 'email', 'mapping[phone]': long });
      expect(body.errors).toEqual({ file: [`The file has two columns "${'n'.repeat(64)}".`] });
      const wide = Array.from({ length: 900 }, (_, n) => `${long}${n}`).join(',');
      expect((await send(`email,${wide}\na@example.com\n`)).body.errors).toEqual({
        file: ['The header has more than 255,000 characters.'],
      });
    });

    it('are found in another case and with other spaces, with a mapping and without one', async () => {
      await imported('\ufeffE-mail,First\u00a0name,"Job\ntitle",Company ID\nann@example.com,Ann,CEO,4711\n');
      expect(await contact('ann')).toMatchObject({ first_name: 'Ann', job_title: 'CEO', company_id: null });
      const mapping = { 'mapping[email]': 'e-mail ADDRESS', 'mapping[first_name]': 'given_name' };
      await imported('"E-mail\naddress",Given name\nben@example.com,Ben\n', mapping);
      expect(await contact('ben')).toMatchObject({ first_name: 'Ben' });
    });

    it('below other text are named with their line, in an error of the file', async () => {
      const connections = 'First Name,Last Name,URL,Email Address,Company,Position,Connected On';
      const csv = `Notes:\n"Some addresses are missing."\n\n${connections}\nAnn,Lee,,ann@example.com,Acme,CEO,\n`;
      const mapping: Fields = { 'mapping[email]': 'Email Address', 'mapping[first_name]': 'First Name' };
      for (const fields of [{}, mapping]) {
        const { status, body } = await send(csv, fields);
        expect(status).toBe(422);
        expect(body.errors).toEqual({
          file: [
            'The header seems to be in line 4 ("First Name", "Last Name", "URL", "Email Address", "Company"), ' +
              'below other text ("Notes:"). Delete the lines above it.',
          ],
        });
      }
      expect(await count()).toBe(0);
    });

    it('may occur twice in the header if no field uses them', async () => {
      expect(await imported('email,note,note\na@example.com,1,2\n')).toMatchObject({ imported: 1 });
      expect(refusedFields(await send('E-mail,Email\nb@example.com,c@example.com\n'))).toEqual(['file']);
      expect(refusedFields(await send('email,first_name,first_name\nb@example.com,1,2\n'))).toEqual(['file']);
    });
  });

  describe('files of an import', () => {
    const text = 'email;first_name\nzoe@example.com;Zoë – €\n';

    it.each([
      ['UTF-8', Buffer.from(text)],
      ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
      ['UTF-16, little end first', iconv.encode(text, 'utf-16le', { addBOM: true })],
      ['UTF-16, big end first', iconv.encode(text, 'utf-16be', { addBOM: true })],
      ['Windows-1252', iconv.encode(text, 'windows-1252')],
      ['commas', Buffer.from(text.replaceAll(';', ','))],
      ['tabs', Buffer.from(text.replaceAll(';', '\t'))],
      ['carriage returns', Buffer.from(text.replaceAll('\n', '\r\n'))],
    ])('are read with %s', async (_name, bytes) => {
      expect(await imported(bytes)).toEqual(summary({ total: 1, imported: 1 }));
      expect(await contact('zoe')).toMatchObject({ first_name: 'Zoë – €', last_name: null });
    });

    it('may tell Excel the delimiter in the line before the header', async () => {
      const named = 'email;first_name\nann@example.com;"Ann, Lee"\n';
      expect(await imported(`sep=;\r\n${named}`)).toEqual(summary({ total: 1, imported: 1 }));
      expect(await imported(`\ufeff"sep=;"\n${named}bad;x\n`)).toMatchObject({ skipped: 1, errors: [{ row: 3 }] });
      expect(await contact('ann')).toMatchObject({ first_name: 'Ann, Lee' });
    });

    it('are named as what they are if they are of another format', async () => {
      for (const [start, name] of [
        ['PK\x03\x04xl/workbook.xml', 'an Excel workbook (.xlsx)'],
        ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'an Excel workbook (.xls)'],
        ['<!DOCTYPE html><title>Sign in</title>', 'HTML'],
      ] as const) {
        const { body } = await send(Buffer.from(start, 'latin1'));
        expect(body.errors).toEqual({ file: [expect.stringContaining(`${name}, not a CSV.`)] });
      }
    });

    it('are UTF-8 if some bytes are broken, and the rows of these cells fail alone', async () => {
      const text = 'email,first_name,note\nzoe@example.com,Zoé Łuk,\nben@example.com,B?n,\nann@example.com,Ann,?\n';
      const data = await imported(Buffer.from(Buffer.from(text).map((byte) => (byte === 0x3f ? 0xff : byte))));
      expect(data).toMatchObject({
        ...{ total: 3, imported: 2, failed: 1 },
        errors: [
          {
            ...{ row: 3, field: 'first_name', column: 'first_name', value: 'B\ufffdn' },
            message: 'The cell has bytes that are no text in UTF-8, the encoding of the file.',
          },
        ],
      });
      expect(await contact('zoe')).toMatchObject({ first_name: 'Zoé Łuk' });
    });

    it('may have blank records, which are no rows', async () => {
      const data = await imported(',,\nemail,first_name,phone\n,,\nann@example.com,Ann,\n , ,\n"","",""\nbad,x,\n,,\n');
      expect(data).toMatchObject({ total: 2, imported: 1, failed: 1, errors: [{ row: 3 }] });
    });

    it('may contain only a header, blank lines, or line breaks and backslashes in cells', async () => {
      expect(await imported('email,first_name')).toEqual(summary({}));
      const name = 'C:\\temp\\N\t\\.\\\\ "q" \n\r\n end';
      await imported(
        `email,first_name,custom_fields.path\n\n\na@example.com,"${name.replaceAll('"', '""')}","\\N"\n\n`,
      );
      expect(await contact('a@')).toMatchObject({ first_name: name, custom_fields: { path: '\\N' } });
    });

    it.each([
      ['an empty one', ''],
      ['blank lines', '\n\n'],
      ['an image', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
      ['a quote that is never closed', `email\n${'a@example.com\n'.repeat(5_000)}"b@example.com\n`],
    ])('are refused as a whole if the content is %s', async (_name, content) => {
      expect(refusedFields(await send(content))).toEqual(['file']);
      expect(await count()).toBe(0);
    });

    it('may have exactly 10 MB and not a byte more', async () => {
      const head = 'email,padding\na@example.com,';
      const file = Buffer.alloc(TEN_MEGABYTES, 'x');
      file.write(head);
      expect(await imported(file)).toEqual(summary({ total: 1, imported: 1 }));
      const larger = Buffer.concat([file, Buffer.from('x')]);
      expect((await send(larger)).body).toEqual({
        error: 'ValidationError',
        message: expect.any(String),
        errors: { file: ['file must not be larger than 10 MB'] },
        code: 422,
      });
    });

    it('lose the apostrophe that protects a cell from being a formula', async () => {
      await imported(`email,first_name,last_name\na@example.com,'=1+1,'t Hooft\n`);
      expect(await contact('a@')).toMatchObject({ first_name: '=1+1', last_name: "'t Hooft" });
    });
  });

  describe('duplicates in an import', () => {
    const existing = {
      email: 'ann@example.com',
      first_name: 'Ann',
      last_name: 'Lee',
      custom_fields: { a: '1', b: '2' },
    };
    const file =
      'email,first_name,last_name,company,custom_fields.b,custom_fields.c\n' +
      'ANN@example.com,Anna,,Acme,3,4\n' +
      'bob@example.com,Bob,,,,\n' +
      'Bob@example.com,Robert,Roy,,x,\n' +
      'bob@Example.com,,Ray,,,z\n';

    it.each<Fields>([{}, { skip_duplicates: '1' }, { skip_duplicates: 'true' }])(
      'are skipped with %j',
      async (fields) => {
        const { new_custom_fields: added, ...before } = await given.contact(existing);
        expect(added).toEqual(['a', 'b']);
        published.length = 0;
        expect(await imported(file, fields)).toEqual(summary({ total: 4, imported: 1, skipped: 3 }));
        expect(await contact('ann')).toEqual(before);
        const bob = await contact('bob');
        expect(bob).toMatchObject({ first_name: 'Bob', last_name: null, custom_fields: {} });
        expect(published).toEqual([{ name: 'contact.created', ids: [bob.id] }]);
        expect(await fieldTypes()).toEqual({ a: 'text', b: 'text' });
      },
    );

    it.each([{ skip_duplicates: '0' }, { skip_duplicates: 'false' }])(
      'are updated with the filled cells with %j',
      async (fields) => {
        const { id, created_at, status } = await given.contact(existing);
        published.length = 0;
        expect(await imported(file, fields)).toEqual(summary({ total: 4, imported: 1, updated: 3 }));
        const ann = await contact('ann');
        expect(ann).toMatchObject({ id, created_at, status, first_name: 'Anna', last_name: 'Lee', company: 'Acme' });
        expect(ann.custom_fields).toEqual({ a: '1', b: '3', c: '4' });
        expect(ann.updated_at > created_at).toBe(true);
        const bob = await contact('bob');
        expect(bob).toMatchObject({ first_name: 'Robert', last_name: 'Ray', custom_fields: { b: 'x', c: 'z' } });
        expect(published).toEqual([
          { name: 'contact.created', ids: [bob.id] },
          { name: 'contact.updated', ids: [id] },
        ]);
      },
    );

    it('keep their status, and their stage if its cell is empty', async () => {
      const { id } = await given.contact({ email: 'ann@example.com', lifecycle_stage: 'customer' });
      await api.post(`/contacts/${id}/unsubscribe`);
      await imported('email,lifecycle_stage,first_name\nann@example.com,,Ann\nbob@example.com,,Bob\n', {
        skip_duplicates: '0',
      });
      expect(await contact('ann')).toMatchObject({
        status: 'unsubscribed',
        lifecycle_stage: 'customer',
        first_name: 'Ann',
      });
      expect(await contact('bob')).toMatchObject({ lifecycle_stage: 'subscriber' });
    });

    it('are not counted if the first row is not valid', async () => {
      const data = await imported('email,phone\nann@example.com,' + '1'.repeat(51) + '\nann@example.com,2\n');
      expect(data).toMatchObject({ total: 2, imported: 1, skipped: 0, failed: 1 });
      expect(await contact('ann')).toMatchObject({ phone: '2' });
    });

    it.each(['', 'yes', 'TRUE', '2'])('are refused with 422 for skip_duplicates %j', async (flag) => {
      expect(refusedFields(await send(file, { skip_duplicates: flag }))).toEqual(['skip_duplicates']);
    });
  });

  describe('failed rows of an import', () => {
    const REFUSED_CELLS: [string, string][] = [
      ['email', ''],
      ['email', 'ann'],
      ['email', 'ann@example'],
      ['email', 'ann smith@example.com'],
      ['email', 'a@example.com; b@example.com'],
      ['email', `${'a'.repeat(243)}@example.com`],
      ['external_id', 'é'.repeat(256)],
      ['first_name', 'é'.repeat(256)],
      ['last_name', 'x'.repeat(256)],
      ['company', 'x'.repeat(256)],
      ['job_title', 'x'.repeat(256)],
      ['phone', '1'.repeat(51)],
      ['linkedin_url', 'x'.repeat(501)],
      ['timezone', 'Mars/Olympus'],
      ['timezone', '+01:00'],
      ['timezone', 'PST'],
      ['lifecycle_stage', 'Leads'],
      ['company_id', '0'],
      ['company_id', '1.5'],
      ['company_id', 'Acme'],
      ['company_id', '9007199254740993'],
      ['company_id', String(UNKNOWN_ID)],
      ['custom_fields.text', 'x'.repeat(5_001)],
      ['custom_fields.number', '12,5'],
      ['custom_fields.number', '1e999'],
      ['custom_fields.number', '0x1F'],
      ['custom_fields.boolean', 'yes'],
      ['custom_fields.date', '21/11/2026'],
      ['custom_fields.date', '2026-02-30'],
    ];

    it('do not affect other rows, and name the cell that is refused', async () => {
      for (const type of ['number', 'boolean', 'date']) {
        await api.post('/custom-fields', { key: type, label: type, type });
      }
      const columns = [...new Set(REFUSED_CELLS.map(([field]) => field))];
      const row = (cells: Record<string, string>) => columns.map((name) => `"${cells[name] ?? ''}"`).join(',');
      const rows = REFUSED_CELLS.flatMap(([field, cell], n) => [
        row({ email: `good${n}@example.com` }),
        row({ email: `bad${n}@example.com`, last_name: 'Lee', [field]: cell }),
      ]);
      expect(await imported([columns.join(','), ...rows, ''].join('\n'))).toEqual(
        summary({
          total: rows.length,
          imported: REFUSED_CELLS.length,
          failed: REFUSED_CELLS.length,
          errors: REFUSED_CELLS.map(([field, cell], n) => {
            return { row: 2 * n + 3, field, column: field, value: cell.slice(0, 100), message: expect.any(String) };
          }),
        }),
      );
      const emails = (await api.get('/contacts?per_page=100')).data.map(({ email }: Schema<'Contact'>) => email);
      expect(emails.sort()).toEqual(REFUSED_CELLS.map((_, n) => `good${n}@example.com`).sort());
    });

    it('report the same messages as the API', async () => {
      const cells = { first_name: 'x'.repeat(256), phone: '1'.repeat(51), company_id: '0' };
      for (const [field, cell] of Object.entries(cells)) {
        const { errors } = await imported(`email,${field}\na@example.com,${cell}\n`);
        const value = field === 'company_id' ? Number(cell) : cell;
        const { body } = await api.post('/contacts', { email: 'a@example.com', [field]: value });
        expect([errors[0].message]).toEqual(body.errors[field]);
      }
    });

    it('do not include custom fields that fit their type; new custom fields get the type text', async () => {
      for (const type of ['number', 'boolean', 'date', 'text']) {
        await api.post('/custom-fields', { key: type, label: type, type });
      }
      await imported(
        'email,custom_fields.number,custom_fields.boolean,custom_fields.date,custom_fields.text,custom_fields.new,custom_fields.none\n' +
          'a@example.com,-12.50,TRUE,2026-02-28,5,5,\n' +
          'b@example.com,+1e3,0,2026-11-21T08:30:00+01:00,true,2026-01-01,\n' +
          'c@example.com,,,,,,\n' +
          'bad,1,1,2026-01-01,x,x,x\n',
      );
      expect((await contact('a@')).custom_fields).toEqual({
        number: -12.5,
        boolean: true,
        date: '2026-02-28',
        text: '5',
        new: '5',
      });
      expect((await contact('b@')).custom_fields).toEqual({
        number: 1000,
        boolean: false,
        date: '2026-11-21T08:30:00+01:00',
        text: 'true',
        new: '2026-01-01',
      });
      expect((await contact('c@')).custom_fields).toEqual({});
      expect(await fieldTypes()).toEqual({
        number: 'number',
        boolean: 'boolean',
        date: 'date',
        text: 'text',
        new: 'text',
      });
    });

    it('include rows with more cells than the header', async () => {
      const { errors } = await imported('email,first_name\na@example.com,A,B\nb@example.com\nc@example.com,C,,\n');
      expect(errors).toEqual([
        { row: 2, field: 'row', column: null, value: null, message: expect.stringContaining('3 cells') },
      ]);
      expect(await count()).toBe(2);
    });

    it('are reported by row number, the first hundred of them', async () => {
      const rows = Array.from({ length: 300 }, (_, n) => (n % 2 ? `p${n}@example.com,${UNKNOWN_ID}` : `bad${n},`)).join(
        '\n',
      );
      const { errors, ...counts } = await imported(`email,company_id\n${rows}\nok@example.com,\n`);
      expect(counts).toMatchObject({ total: 301, imported: 1, updated: 0, skipped: 0, failed: 300 });
      expect(errors.map(({ row }: { row: number }) => row)).toEqual(Array.from({ length: 100 }, (_, n) => n + 2));
      expect(errors.slice(0, 2).map(({ field }: { field: string }) => field)).toEqual(['email', 'company_id']);
    });

    it('include rows that would give a contact more than a hundred custom fields', async () => {
      const keys = (from: number, length: number) => Array.from({ length }, (_, n) => `k${from + n}`);
      await given.contact({
        email: 'full@example.com',
        custom_fields: Object.fromEntries(keys(0, 99).map((key) => [key, 'x'])),
      });
      const header = `email,${keys(98, 101)
        .map((key) => `custom_fields.${key}`)
        .join(',')}\n`;
      const row = (email: string, cells: number) => `${email}${',x'.repeat(cells)}\n`;
      const file = header + row('full@example.com', 2) + row('full@example.com', 3) + row('a@example.com', 101);
      const data = await imported(file + row('b@example.com', 100), { skip_duplicates: '0' });
      expect(data).toMatchObject({ total: 4, imported: 1, updated: 0, failed: 3 });
      expect(data.errors.map(({ row: number, field }: { row: number; field: string }) => [number, field])).toEqual([
        [2, 'custom_fields'],
        [3, 'custom_fields'],
        [4, 'custom_fields'],
      ]);
      expect(Object.keys((await contact('full')).custom_fields)).toHaveLength(99);
      expect(Object.keys(await fieldTypes())).toHaveLength(25);
    });

    it('include rows that would give a contact more than 64 KB', async () => {
      const texts = (from: number, count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, 'x'.repeat(5_000)]));
      await given.contact({ email: 'full@example.com', custom_fields: texts(0, 13) });
      const all = texts(0, 14);
      const header = `email,${Object.keys(all)
        .map((key) => `custom_fields.${key}`)
        .join(',')}\n`;
      const large = `a@example.com,${Object.values(all).join(',')}\n`;
      const file = `${header}${large}full@example.com${','.repeat(14)}${'x'.repeat(5_000)}\nb@example.com,x${','.repeat(13)}\n`;
      const data = await imported(file, { skip_duplicates: '0' });
      expect(data).toMatchObject({ total: 3, imported: 1, updated: 0, failed: 2 });
      expect(data.errors.map(({ row, field }: { row: number; field: string }) => [row, field])).toEqual([
        [2, 'custom_fields'],
        [3, 'custom_fields'],
      ]);
    });

    it('include rows that need a custom field beyond the limit of the workspace', async () => {
      await service.database.query(
        `INSERT INTO custom_fields (workspace_id, key, label, type)
         SELECT $1, 'k' || n, 'k', 'text' FROM generate_series(1, 499) n`,
        [api.workspaceId],
      );
      const file = 'email,custom_fields.new1,custom_fields.new2\na@example.com,1,\nb@example.com,,2\nc@example.com,,\n';
      const data = await imported(file);
      expect(data).toMatchObject({ imported: 2, failed: 1 });
      const field = 'custom_fields.new2';
      expect(data.errors).toEqual([
        { row: 3, field, column: field, value: '2', message: expect.stringContaining('500') },
      ]);
    });
  });

  describe('external IDs in an import', () => {
    const ids = async () =>
      Object.fromEntries(
        (await api.get('/contacts')).data.map((each: Schema<'Contact'>) => [each.email, each.external_id]),
      );
    const taken = (row: number, value: string) => ({
      row,
      field: 'external_id',
      column: 'ID',
      value,
      message: 'Another contact has this external ID.',
    });
    const mapping = { 'mapping[email]': 'E-mail', 'mapping[external_id]': 'ID' };

    it.each(['1', '0'])(
      'fail alone if another contact or an earlier address has them (skip_duplicates: %s)',
      async (skip) => {
        await given.contact({ email: 'old@example.com', external_id: 'taken' });
        const file = 'E-mail,ID\na@example.com,taken\nb@example.com,new\nc@example.com,new\nd@example.com,\n';
        expect(await imported(file, { ...mapping, skip_duplicates: skip })).toEqual(
          summary({ total: 4, imported: 2, failed: 2, errors: [taken(2, 'taken'), taken(4, 'new')] }),
        );
        expect(await ids()).toEqual({ 'old@example.com': 'taken', 'b@example.com': 'new', 'd@example.com': null });
      },
    );

    it('are set on existing contacts by an import that updates, unless another contact has them', async () => {
      await given.contact({ email: 'a@example.com', external_id: 'one' });
      await given.contact({ email: 'b@example.com' });
      await given.contact({ email: 'c@example.com', external_id: 'same' });
      const file = 'E-mail,ID\na@example.com,two\nb@example.com,one\nc@example.com,same\n';
      expect(await imported(file, { ...mapping, skip_duplicates: '0' })).toEqual(
        summary({ total: 3, updated: 2, failed: 1, errors: [taken(3, 'one')] }),
      );
      expect(await ids()).toEqual({ 'a@example.com': 'two', 'b@example.com': null, 'c@example.com': 'same' });
    });

    it('are left alone on existing contacts by an import that skips them', async () => {
      await given.contact({ email: 'a@example.com', external_id: 'one' });
      await given.contact({ email: 'b@example.com' });
      expect(await imported('E-mail,ID\na@example.com,two\nb@example.com,one\n', mapping)).toEqual(
        summary({ total: 2, skipped: 2 }),
      );
      expect(await ids()).toEqual({ 'a@example.com': 'one', 'b@example.com': null });
    });
  });

  describe('lists and tags of an import', () => {
    const groups = async () => ({
      lists: [await api.post('/lists', { name: 'L1' }), await api.post('/lists', { name: 'L2' })].map((x) => x.data.id),
      tags: [(await api.post('/tags', { name: 'T' })).data.id],
    });

    it('get the contact of every valid row, also of skipped rows', async () => {
      const { lists, tags } = await groups();
      const old = await given.contact({ email: 'old@example.com', lists: [lists[0]] });
      const both = await given.contact({ email: 'both@example.com', lists, tags });
      published.length = 0;
      const fields: [string, string][] = [
        ['lists[]', String(lists[0])],
        ['lists[]', String(lists[1])],
        ['lists[]', String(lists[0])],
        ['tags[0]', String(tags[0])],
      ];
      const file = 'email\nold@example.com\nboth@example.com\nnew@example.com\nNEW@example.com\nbad\n';
      expect(await imported(file, fields)).toMatchObject({ imported: 1, skipped: 3, failed: 1 });
      const fresh = await contact('new');
      for (const each of [fresh, await contact('old'), await contact('both')]) {
        expect(each.lists.map(({ id }: { id: number }) => id)).toEqual(lists);
        expect(each.tags.map(({ id }: { id: number }) => id)).toEqual(tags);
      }
      expect((await contact('both')).updated_at).toBe(both.updated_at);
      expect((await contact('old')).updated_at > old.updated_at).toBe(true);
      expect((await api.get(`/lists/${lists[0]}`)).data.contacts_count).toBe(3);
      expect(published).toEqual([
        { name: 'contact.created', ids: [fresh.id] },
        { name: 'contact.updated', ids: [old.id] },
      ]);
    });

    it('get updated contacts, for which one event is published', async () => {
      const { lists, tags } = await groups();
      const { id } = await given.contact({ email: 'old@example.com' });
      published.length = 0;
      await imported('email,first_name\nold@example.com,Old\n', {
        skip_duplicates: '0',
        'lists[]': String(lists[0]),
        'tags[]': String(tags[0]),
      });
      expect(published).toEqual([{ name: 'contact.updated', ids: [id] }]);
    });

    it.each([
      ['lists[]', 'lists.0'],
      ['tags[]', 'tags.0'],
    ])('are refused in %s if they belong to another workspace or do not exist', async (name, field) => {
      const other = await service.client();
      const path = name === 'lists[]' ? '/lists' : '/tags';
      const foreign = (await other.post(path, { name: 'Theirs' })).data.id;
      for (const value of [foreign, UNKNOWN_ID, '1.5', 'x', '', '-1', '9'.repeat(20)]) {
        const response = await send('email\na@example.com\n', { [name]: String(value) });
        expect([value, refusedFields(response)]).toEqual([value, [field]]);
      }
      expect(await count()).toBe(0);
      expect((await other.get(`${path}/${foreign}`)).data.contacts_count ?? 0).toBe(0);
    });

    it('are named by index in errors', async () => {
      const { lists } = await groups();
      const fields = { 'lists[0]': String(lists[0]), 'lists[1]': String(UNKNOWN_ID), tags: '1' };
      expect(refusedFields(await send('email\na@example.com\n', fields))).toEqual(['tags', 'lists.1']);
    });
  });

  describe('POST /contacts/import', () => {
    const path = '/contacts/import';
    const multipart = (body: string, boundary = 'x', headers = {}) =>
      api.call('POST', path, body, { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers });
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"; filename="f.csv"\r\n\r\n${value}\r\n`;

    it('returns 422 without a file', async () => {
      const empty = new FormData();
      empty.append('skip_duplicates', '1');
      expect(refusedFields(await api.post(path, empty))).toEqual(['file']);
      expect(refusedFields(await api.post(path))).toEqual(['file']);
      expect(refusedFields(await multipart(part('file', 'email\na@example.com') + '--x--\r\n'))).toEqual(['file']);
      expect(refusedFields(await multipart(file('csv', 'email\na@example.com') + '--x--\r\n'))).toEqual([
        'csv',
        'file',
      ]);
    });

    it('returns 422 for other files, unknown fields and two files', async () => {
      const csv = 'email\na@example.com';
      const other = file('photo', 'png') + part('mapping[email]', 'email');
      expect(refusedFields(await multipart(`${other}${file('file', csv)}--x--\r\n`))).toEqual(['photo']);
      const unknown = part('unknown', '1') + file('file', csv);
      expect(refusedFields(await multipart(`${unknown}--x--\r\n`))).toEqual(['unknown']);
      const twice = await multipart(`${file('file', csv)}${file('file', csv)}--x--\r\n`);
      expect(refusedFields(twice)).toEqual(['file']);
    });

    it('returns 415 for any other content type than multipart/form-data', async () => {
      for (const type of ['application/json', 'text/csv', 'application/x-www-form-urlencoded', 'multipart/mixed']) {
        const { status, body } = await api.call('POST', path, '{}', { 'content-type': type });
        expect([type, status, body.error, body.errors]).toEqual([type, 415, 'HttpError', null]);
      }
    });

    it.each([
      ['is truncated', file('file', 'email\na@example.com')],
      ['has no end', `--x\r\nContent-Disposition: form-data; name="file"; filename="f.csv"`],
      ['is not multipart', 'not a form'],
      ['has a broken header', `--x\r\nContent-Disposition form-data\r\n\r\n--x--\r\n`],
      ['has nameless fields', `--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n${file('file', 'email')}--x--\r\n`],
      ['has too many fields', part('a', '1').repeat(2_100) + file('file', 'email') + '--x--\r\n'],
      ['has an overlong field', part('mapping[email]', 'x'.repeat(20_000)) + file('file', 'email') + '--x--\r\n'],
      ['has an overlong name', part('x'.repeat(500), '1') + file('file', 'email') + '--x--\r\n'],
      ['has a sparse array', part('lists[4294967290]', '1') + file('file', 'email') + '--x--\r\n'],
      ['is nested', part('a[b][c][d][e]', '1') + file('file', 'email') + '--x--\r\n'],
      ['mixes kinds', part('lists[]', '1') + part('lists[a]', '1') + file('file', 'email') + '--x--\r\n'],
    ])('returns 400 or 422 for a body that %s', async (_name, body) => {
      const { status, body: response } = await multipart(body);
      expect([400, 422]).toContain(status);
      expect(response).toMatchObject({ code: status, errors: status === 422 ? expect.any(Object) : null });
      expect(await count()).toBe(0);
    });

    it.each(['', '; boundary=', '; boundary=""', '; boundary'])(
      'returns 400 for a boundary of `%s`',
      async (boundary) => {
        const { status } = await api.post(path, file('file', 'email'), {
          'content-type': `multipart/form-data${boundary}`,
        });
        expect(status).toBe(400);
      },
    );

    it('returns 403 without contacts:write, 401 without a valid token and 405 for GET', async () => {
      const reader = await service.client(['contacts:read']);
      expect((await reader.post(path, formOf('email\na@example.com'))).status).toBe(403);
      expect((await api.post(path, formOf('email'), { authorization: 'Bearer out_none' })).status).toBe(401);
      expect((await api.get(path)).status).toBe(405);
    });

    it('deletes the upload if the client disconnects', async () => {
      const { hostname, port } = new URL(service.url);
      const sending = startRequest({
        hostname,
        port,
        path: `/v1${path}`,
        method: 'POST',
        headers: {
          authorization: `Bearer ${api.token}`,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 1_000_000,
        },
      });
      const failed = new Promise((resolve) => sending.once('error', resolve));
      sending.write(`${file('file', 'email\na@example.com\n'.repeat(1_000))}`.slice(0, -4));
      await eventually(async () => expect(await uploads()).toHaveLength(1));
      sending.destroy();
      await failed;
      await eventually(async () => expect(await uploads()).toEqual([]));
      expect(await count()).toBe(0);
    });

    it('replays the response for an idempotency key, and returns 409 for a different body', async () => {
      const key = { 'idempotency-key': 'import-1' };
      const first = await send('email\na@example.com\n', { skip_duplicates: '1' }, key);
      const again = await send('email\na@example.com\n', { skip_duplicates: '1' }, key);
      expect(first.data).toEqual(summary({ total: 1, imported: 1 }));
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect((await send('email\nb@example.com\n', { skip_duplicates: '1' }, key)).status).toBe(409);
      expect((await send('email\na@example.com\n', { skip_duplicates: '0' }, key)).status).toBe(409);
      expect(await count()).toBe(1);
    });
  });

  describe('the transaction of an import', () => {
    const insertion = `INSERT INTO contacts (workspace_id, email) VALUES ($1, $2)`;
    let lock: BlockingTransaction | undefined;
    beforeEach(() => {
      // What the service logs when the tests end its connections.
      jest.spyOn(Log.prototype, 'error').mockReturnValue();
    });
    afterEach(async () => {
      jest.restoreAllMocks();
      await lock?.end();
    });

    it('leaves nothing behind if the connection is lost during the merge', async () => {
      const list = (await api.post('/lists', { name: 'L' })).data.id;
      lock = await BlockingTransaction.begin(service.database, insertion, [api.workspaceId, 'person7@example.com']);
      const response = send(`email,custom_fields.x\n${people(500)}`, { 'lists[]': String(list) });
      await lock.blocks(1);
      await lock.endBlocked();
      const { status, body } = await response;
      expect([status, body.error, body.reason]).toEqual([503, 'InternalServerError', 'unavailable']);
      await lock.end();
      expect(await count()).toBe(0);
      expect(await fieldTypes()).toEqual({});
      expect((await api.get(`/lists/${list}`)).data.contacts_count).toBe(0);
      expect(published).toEqual([]);
      expect(await imported(`email,first_name\n${people(500)}`)).toMatchObject({ imported: 500 });
    });

    it('begins anew if another request takes an external ID of the file meanwhile', async () => {
      const { id } = await given.contact({ email: 'a@example.com' });
      lock = await BlockingTransaction.begin(
        service.database,
        'SELECT FROM contacts WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
        [api.workspaceId, id],
      );
      const response = send('email,external_id\na@example.com,one\nb@example.com,two\n', { skip_duplicates: '0' });
      await lock.blocks(1);
      await given.contact({ email: 'c@example.com', external_id: 'one' });
      await lock.end();
      expect((await response).data).toMatchObject({
        imported: 1,
        updated: 0,
        failed: 1,
        errors: [{ row: 2, value: 'one' }],
      });
    });

    it('leaves nothing behind if the connection is lost during COPY', async () => {
      const copyIn = Reflect.get(Database.prototype, 'copyIn');
      jest.spyOn(Database.prototype, 'copyIn').mockImplementation(async function (this: Database, statement, source) {
        const [session] = await this.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
        const losing = async function* () {
          for await (const rows of source) {
            yield rows;
            await service.database.query('SELECT pg_terminate_backend($1::int)', [session?.pid]);
          }
        };
        await copyIn.call(this, statement, losing());
      });
      expect((await send(`email,custom_fields.x\n${people(2_000)}`)).status).toBe(503);
      jest.restoreAllMocks();
      expect(await count()).toBe(0);
      expect(await fieldTypes()).toEqual({});
      expect(await imported(`email,first_name\n${people(5)}`)).toMatchObject({ imported: 5 });
    });

    /** SELECT of the sessions that wait for this one. */
    const WAITERS = process.env.TEST_NODE_URLS
      ? 'SELECT FROM citus_lock_waits WHERE citus_pid_for_gpid(blocking_gpid) = pg_backend_pid()'
      : 'SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid';
    /** @returns the response to an import, or undefined if PostgreSQL has cancelled the other transaction instead of it */
    const importWithDeadlock = (client: pg.Client) => async () => {
      await client.query('BEGIN');
      await client.query(insertion, [api.workspaceId, 'person2@example.com']);
      // As soon as the import waits for this transaction, it waits for the import. PostgreSQL cancels the import, which has
      // waited longer, unless that has checked for deadlocks before: it does so only once, after a second.
      const deadlock = client.query(`DO $$ BEGIN
        WHILE NOT EXISTS (${WAITERS}) LOOP
          PERFORM pg_sleep(0.01);
        END LOOP;
        INSERT INTO contacts (workspace_id, email) VALUES (${api.workspaceId}, 'person1@example.com');
      END $$`);
      const response = send(`email,custom_fields.x\n${people(3)}bad,1\n`);
      const isCancelled = await deadlock.then(
        () => false,
        (error: unknown) => {
          if (error instanceof pg.DatabaseError && error.code === '40P01') return true;
          throw error;
        },
      );
      await client.query('ROLLBACK');
      const { data } = await response;
      return isCancelled ? undefined : data;
    };

    it('is repeated from the start of the file after a deadlock', async () => {
      const client = new pg.Client({ connectionString: service.database.url });
      await client.connect();
      const run = importWithDeadlock(client);
      let data = await run();
      while (!data) {
        await client.query('DELETE FROM contacts WHERE workspace_id = $1', [api.workspaceId]);
        data = await run();
      }
      await client.end();
      expect(data).toMatchObject({ total: 4, imported: 3, skipped: 0, failed: 1 });
      expect(await count()).toBe(3);
    });

    it.each(['0', '1'])('works concurrently with imports of overlapping files, skip_duplicates %s', async (flag) => {
      const list = (await api.post('/lists', { name: 'L' })).data.id;
      const files = [people(600), people(600, 300), people(600, 100).split('\n').reverse().join('\n')];
      const fields = { skip_duplicates: flag, 'lists[]': String(list) };
      const responses = await Promise.all(files.map((file) => send(`email,first_name\n${file}`, fields)));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(responses.reduce((sum, { data }) => sum + Number(data.imported), 0)).toBe(899);
      expect(await count()).toBe(899);
      expect((await api.get(`/lists/${list}`)).data.contacts_count).toBe(899);
    });
  });

  describe('GET /contacts/export', () => {
    const nasty = [
      { first_name: '=HYPERLINK("https://evil.example")', last_name: "'=1+1", company: '@SUM(A1)', phone: '+33 6 39' },
      { first_name: 'two\nlines', last_name: 'a\rb', company: 'Say "hi", Bob; \t ok', phone: '-5' },
      { first_name: "'t", last_name: '\\N', company: '🎉 Été', job_title: '+cmd|calc', linkedin_url: 'null' },
    ];
    const typed = { number: -12.5, boolean: false, date: '2026-02-28', text: '=1' };
    const defineFields = async (client: ApiClient): Promise<void> => {
      for (const type of Object.keys(typed)) await client.post('/custom-fields', { key: type, label: type, type });
    };
    const exported = async (query = ''): Promise<string[][]> => {
      const { status, body } = await api.get(`/contacts/export${query}`);
      expect(status).toBe(200);
      return parse(body as string);
    };

    it('returns a CSV with a column for each field and each custom field', async () => {
      await defineFields(api);
      const company = (await api.post('/companies', { name: 'Acme' })).data.id;
      const list = (await api.post('/lists', { name: 'Été' })).data.id;
      const tags = [
        (await api.post('/tags', { name: 'a' })).data.id,
        (await api.post('/tags', { name: '=b' })).data.id,
      ];
      const values = {
        first_name: 'Ann',
        timezone: 'Asia/Tokyo',
        company_id: company,
        custom_fields: typed,
        lists: [list],
        tags,
      };
      const ann = await given.contact({ email: 'ann@example.com', ...values });
      const { status, headers, body } = await api.get('/contacts/export');
      expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        200,
        'text/csv; charset=utf-8',
        'attachment; filename="contacts.csv"',
      ]);
      expect(body).toBe(
        'email,external_id,first_name,last_name,company,company_id,phone,job_title,linkedin_url,timezone,lifecycle_stage,' +
          'status,tracking_consent,tracking_consent_source,unsubscribed_at,tracking_consent_at,subscribed_at,paused_until,' +
          'created_at,updated_at,tags,lists,custom_fields.boolean,custom_fields.date,custom_fields.number,custom_fields.text\n' +
          `ann@example.com,,Ann,,,${company},,,,Asia/Tokyo,subscriber,active,unknown,,,,${ann.subscribed_at},,` +
          `${ann.created_at},${ann.updated_at},"a;' =b",Été,false,2026-02-28,-12.5,'=1\n`,
      );
    });

    it('returns only the header if there are no contacts', async () => {
      expect(await exported()).toHaveLength(1);
    });

    it('filters and sorts like the list, and ignores page and per_page', async () => {
      const list = (await api.post('/lists', { name: 'L' })).data.id;
      await given.contact({ email: 'c@example.com', lifecycle_stage: 'lead', lists: [list] });
      await given.contact({ email: 'a@example.com', lifecycle_stage: 'lead' });
      await given.contact({ email: 'b@example.com' });
      const emails = async (query: string) => (await exported(query)).slice(1).map(([email]) => email);
      expect(await emails('')).toEqual(['b@example.com', 'a@example.com', 'c@example.com']);
      expect(await emails('?sort=email&direction=asc&per_page=1&page=2')).toEqual([
        'a@example.com',
        'b@example.com',
        'c@example.com',
      ]);
      expect(await emails('?lifecycle_stage=lead&search=C@')).toEqual(['c@example.com']);
      expect(await emails(`?list_id=${list}`)).toEqual(['c@example.com']);
    });

    it.each(['list_id=9007199254740991', 'tag_id=x', 'status=none', 'sort=phone', 'direction=up'])(
      'returns 422 for %s',
      async (query) => {
        expect(refusedFields(await api.get(`/contacts/export?${query}`))).toEqual([query.split('=')[0]]);
      },
    );

    it('names the first ten of many unknown columns', async () => {
      const columns = Array.from({ length: 30 }, (_, n) => `emial${n}`);
      const { status, body } = await api.get(`/contacts/export?columns=${['email', ...columns, 'emial0'].join(',')}`);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['columns']]);
      expect(body.errors.columns).toHaveLength(11);
      expect(body.errors.columns[0]).toBe('emial0 is not a known field. Did you mean email?');
      expect(body.errors.columns[10]).toBe('20 other names are not known fields.');
    });

    it('has the order of the list over many batches, also with equal and missing values', async () => {
      await service.database.query(
        `INSERT INTO contacts (workspace_id, email, first_name, created_at)
         SELECT $1, 'c' || n || '@example.com', CASE WHEN n % 2 = 0 THEN 'Name' || n % 7 END,
                now() - make_interval(secs => n % 5)
         FROM generate_series(1, 11000) n`,
        [api.workspaceId],
      );
      for (const [sort, direction] of [
        ['first_name', 'ASC'],
        ['first_name', 'DESC'],
        ['created_at', 'DESC'],
        ['lifecycle_stage', 'ASC'],
      ] as const) {
        const rows = await service.database.query<{ email: string }>(
          `SELECT email FROM contacts WHERE workspace_id = $1
           ORDER BY ${sort} ${direction} NULLS LAST, id ${direction}`,
          [api.workspaceId],
        );
        const found = await exported(`?columns=email&sort=${sort}&direction=${direction.toLowerCase()}`);
        expect(found.slice(1).map(([email]) => email)).toEqual(rows.map(({ email }) => email));
      }
    });

    it('can be imported again, in the same workspace and in another one', async () => {
      await defineFields(api);
      for (const each of nasty) await given.contact({ ...each, lifecycle_stage: 'customer', custom_fields: typed });
      const before = (await api.get('/contacts')).data;
      const csv = (await api.get('/contacts/export')).body;
      expect(await imported(csv)).toEqual(summary({ total: 3, skipped: 3 }));
      expect((await api.get('/contacts')).data).toEqual(before);
      expect(await imported(csv, { skip_duplicates: '0' })).toEqual(summary({ total: 3, updated: 3 }));
      const own = ({ updated_at: _, ...each }: Schema<'Contact'>) => each;
      expect((await api.get('/contacts')).data.map(own)).toEqual(before.map(own));

      const otherClient = await service.client();
      await defineFields(otherClient);
      expect((await otherClient.post('/contacts/import', formOf(csv))).data).toEqual(
        summary({ total: 3, imported: 3 }),
      );
      const copied = (await otherClient.get('/contacts?sort=email')).data;
      const values = (each: Schema<'Contact'>) => [
        each.email,
        each.full_name,
        each.company,
        each.phone,
        each.custom_fields,
      ];
      expect(copied.map(values)).toEqual((await api.get('/contacts?sort=email')).data.map(values));
    });

    it.each([';', '\t'])(
      'contains no formula if it is read with the separator %j, and can be imported again',
      async (delimiter) => {
        const separators = ['a;=1+1', 'a\t@SUM(A1)', 'a;"=1', "a;'=1", 'a; +1', '-5;+6', 'a"\n=1"\r\n-2', '";=1'];
        for (const text of separators) await given.contact({ first_name: 'Ann', custom_fields: { text } });
        const csv: string = (await api.get('/contacts/export')).body;
        const lines = csv.split(/[\r\n]+/).flatMap((line) => line.split(delimiter));
        expect(lines.filter((cell) => /^[ "]*[=+@-]/.test(cell))).toEqual([]);
        const other = await service.client();
        expect((await other.post('/contacts/import', formOf(csv))).data.imported).toBe(separators.length);
        const texts = (await other.get('/contacts')).data.map((each: Schema<'Contact'>) => each.custom_fields.text);
        expect(texts.sort()).toEqual([...separators].sort());
      },
    );

    it('contains no cell that a spreadsheet takes for a formula', async () => {
      for (const each of nasty) await given.contact(each);
      const cells = (await exported()).flat().filter((cell) => /^[=+@-]/.test(cell));
      expect(cells.sort()).toEqual(['+33 6 39', '-5']);
    });

    it('requires contacts:read, and shows no contacts of other workspaces', async () => {
      await given.contact();
      const writer = await service.client(['contacts:write']);
      expect((await writer.get('/contacts/export')).status).toBe(403);
      expect(parse((await (await service.client()).get('/contacts/export')).body)).toHaveLength(1);
      expect((await api.post('/contacts/export')).status).toBe(405);
    });

    it('reads only as fast as the client downloads, and stops when it disconnects', async () => {
      await service.database.query(
        `INSERT INTO contacts (workspace_id, email, custom_fields)
         SELECT $1, 'c' || n || '@example.com', jsonb_build_object('note', repeat('x', 20000))
         FROM generate_series(1, 2000) n`,
        [api.workspaceId],
      );
      await api.post('/custom-fields', { key: 'note', label: 'Note', type: 'text' });
      const opened = jest.spyOn(service.app.get(ContactExport, { strict: false }), 'open');
      const statements = jest.spyOn(Database.prototype, 'query');
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { authorization: `Bearer ${api.token}` };
        startRequest(`${service.url}/v1/contacts/export`, { headers }, resolve).on('error', reject).end();
      });
      response.on('error', () => undefined);
      const stream = (await opened.mock.results[0]?.value)?.getStream();
      await eventually(() => expect(stream?.isPaused()).toBe(true));
      response.destroy();
      await eventually(() => expect(stream?.destroyed).toBe(true));
      // All contacts need 20 statements of 2 MB, and buffers of the system take what a part of them has read.
      expect(statements.mock.calls.length).toBeLessThan(12);
      opened.mockRestore();
      statements.mockRestore();
    });
  });

  it('accept the example file with the result that the demo expects', async () => {
    await api.post('/custom-fields', { key: 'employees', label: 'Employees', type: 'number' });
    const data = await imported(await readFile('examples/contacts.csv'), EXAMPLE_MAPPING);
    expect(data).toMatchObject({ total: 2_000, imported: 1_963, updated: 0, skipped: 25, failed: 12 });
    expect(data.errors.map(({ row }: { row: number }) => row)).toEqual([
      86, 115, 253, 342, 431, 490, 555, 945, 1012, 1212, 1276, 2001,
    ]);
    expect(await fieldTypes()).toEqual({ employees: 'number', industry: 'text' });
  });
});
