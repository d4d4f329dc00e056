import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { formatOf } from './other-formats.js';

const zipOf = (names: string): Buffer => Buffer.from(`PK\u0003\u0004\u0014\u0000\u0006\u0000${names}`, 'latin1');
const HTML = 'The file is HTML, not a CSV. Save it as CSV (UTF-8).';
const XML = 'The file is XML, not a CSV. Save it as CSV (UTF-8).';
const ARCHIVE =
  'The file is a ZIP archive, such as a workbook of a spreadsheet, not a CSV. ' +
  'Unpack it, or save the workbook as CSV (UTF-8).';

describe('formatOf', () => {
  it.each([
    [
      'an Excel workbook',
      zipOf('[Content_Types].xml … xl/workbook.xml'),
      'The file is an Excel workbook (.xlsx), not a CSV. Save it as CSV (UTF-8).',
    ],
    [
      'a LibreOffice spreadsheet',
      zipOf('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
      'The file is an OpenDocument spreadsheet (.ods), not a CSV. Save it as CSV (UTF-8).',
    ],
    [
      'a Numbers spreadsheet',
      zipOf('Index/Document.iwa'),
      'The file is a Numbers spreadsheet (.numbers), not a CSV. Save it as CSV (UTF-8).',
    ],
    [
      'an old Excel workbook',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'The file is a file of an old Office program, such as an Excel workbook (.xls), not a CSV. Save it as CSV (UTF-8).',
    ],
    ['an archive of CSVs', zipOf('Connections.csv'), ARCHIVE],
    ['an empty ZIP archive', Buffer.from('PK\u0005\u0006'), ARCHIVE],
    ['a gzip archive', gzipSync('email\n'), 'The file is a gzip archive, not a CSV. Unpack it.'],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'The file is a PDF, not a CSV.'],
    ['a page', Buffer.from('\ufeff\n<!DOCTYPE html>\n<title>Sign in</title>'), HTML],
    ['a table that is named .xls', Buffer.from('<html xmlns:x="urn:schemas-microsoft-com:office:excel">'), HTML],
    ['a page in UTF-16', iconv.encode('<HTML><body>', 'utf-16le', { addBOM: true }), HTML],
    ['a workbook in XML', Buffer.from('<?xml version="1.0"?><Workbook>'), XML],
    ['a JSON array', Buffer.from('[\n  {"email":"ann@example.com"}]'), 'The file is JSON, not a CSV.'],
    ['a JSON object', Buffer.from('{ "contacts": [] }'), 'The file is JSON, not a CSV.'],
    ['vCards', Buffer.from('BEGIN:VCARD\r\nVERSION:3.0'), 'The file is a vCard file, not a CSV.'],
  ])('names %s', (_name, content, sentence) => {
    expect(formatOf(content, Buffer.alloc(0))).toBe(sentence);
  });

  it('finds the names in a ZIP archive at its end', () => {
    expect(formatOf(zipOf(''), Buffer.from('xl/workbook.xml'))).toContain('(.xlsx)');
  });

  it.each(['', 'email,name\n', 'PK,email\n', '<email>,name\n', '{email},name\n', '[email],name\n', 'html,head\n'])(
    'returns nothing for %j',
    (content) => {
      expect(formatOf(Buffer.from(content), Buffer.from('xl/workbook.xml'))).toBeUndefined();
    },
  );
});
