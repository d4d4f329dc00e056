import { headerBelow } from './preamble.js';

const isEmailNamed = (columns: readonly string[]): boolean => columns.includes('email');
const found = (text: string, first = 1) =>
  headerBelow(
    text,
    Array.from({ length: first }, () => 'Notes:'),
    isEmailNamed,
  );

const NOTE = 'Notes:\n"Some addresses are missing, because, as you know, ""people"" hide them."\n\n';
const CONNECTIONS = 'First Name,Last Name,URL,Email Address,Company,Position,Connected On';

describe('headerBelow', () => {
  it('finds the header by its form if its names are not the wanted ones', () => {
    expect(found(`${NOTE}${CONNECTIONS}\nAnn,Lee,,,Acme,CEO,21 Nov 2026\n`)).toEqual({
      line: 4,
      columns: CONNECTIONS.split(','),
    });
  });

  it.each([
    ['line breaks of Windows', `${NOTE}email,name\n`.replaceAll('\n', '\r\n'), 4],
    ['line breaks in a quoted cell', 'Notes:\n"two\nlines"\nemail,name\n', 4],
    ['blank records', 'Report,,,\n,,,\n\n,,,\nemail,name,,\n', 5],
    ['another delimiter', 'Export from 1 May, 2 pages\n\nemail;name;city\n', 3],
    ['tabs', 'Contacts\nemail\tname\n', 2],
    ['a single column', 'My list\nemail\na@b.example\n', 2],
    ['a text that is cut within a cell', 'Contacts\nemail,name\na@b.example,"Ann', 2],
  ])('names the line below %s', (_name, text, line) => {
    expect(found(text)).toMatchObject({ line });
  });

  it.each([
    ['a row of data', 'Name\nann@example.com,Ann,Lee\n', 1],
    ['numbers', 'Name\n1,2,3\n', 1],
    ['names in as many columns as above', 'Name,City,Mail\nAnn,Lyon,Acme\n', 3],
    ['names in hardly more columns', 'Name,City\nAnn,Lyon,Acme\n', 2],
    ['cells with commas below a header with semicolons', 'Name\nA;"b, c, d"\n', 1],
    ['two cells', 'Name\nAnn,Lee\n', 1],
    ['nothing', '', 0],
  ])('finds no header in %s', (_name, text, first) => {
    expect(found(text, first)).toBeUndefined();
  });

  it('reads a text of one long line, and one of many delimiters', () => {
    for (const text of ['x'.repeat(65_536), ','.repeat(65_536), '"'.repeat(65_536), '\n'.repeat(65_536)])
      expect(found(text)).toBeUndefined();
  });
});
