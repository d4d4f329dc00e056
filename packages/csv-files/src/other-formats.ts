const HOW_TO_SAVE = 'Save it as CSV (UTF-8).';

/** The first bytes of formats that are no text. */
const SIGNATURES: readonly (readonly [start: string, format: string])[] = [
  ['\xd0\xcf\x11\xe0', `a file of an old Office program, such as an Excel workbook (.xls), not a CSV. ${HOW_TO_SAVE}`],
  ['\x1f\x8b', 'a gzip archive, not a CSV. Unpack it.'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive, not a CSV. Unpack it.'],
  ['Rar!\x1a\x07', 'a RAR archive, not a CSV. Unpack it.'],
  ['%PDF-', 'a PDF, not a CSV.'],
  ['{\\rtf', `an RTF document, not a CSV. ${HOW_TO_SAVE}`],
];

/** The first bytes of a ZIP archive, and of an empty one. */
const ZIP = ['PK\x03\x04', 'PK\x05\x06'];

/** What the archives of spreadsheets contain: names of files, and the media type, which OpenDocument does not compress. */
const SPREADSHEETS: readonly (readonly [content: string, format: string])[] = [
  ['application/vnd.oasis.opendocument.spreadsheet', 'an OpenDocument spreadsheet (.ods)'],
  ['xl/workbook.', 'an Excel workbook (.xlsx)'],
  ['Index/Document.iwa', 'a Numbers spreadsheet (.numbers)'],
];

/** How texts of other formats begin, after a byte order mark and white space. */
const TEXTS: readonly (readonly [start: RegExp, format: string])[] = [
  [/^<(?:!doctype\s+html|html|head|meta|body|table|div)\b/i, `HTML, not a CSV. ${HOW_TO_SAVE}`],
  [/^<(?:\?xml|!--|!doctype)/i, `XML, not a CSV. ${HOW_TO_SAVE}`],
  [/^(?:\[\s*[[{]|\{\s*")/, 'JSON, not a CSV.'],
  [/^BEGIN:VCARD\b/i, 'a vCard file, not a CSV.'],
];

const BYTE_ORDER_MARK = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/;

/** Characters that show the format of a text. */
const MAX_START_LENGTH = 1_000;

/**
 * Returns a sentence that says what a file is, if it is surely no CSV.
 * @param start the first bytes of the file
 * @param end the last bytes, where a ZIP archive has the names of its files
 */
export function formatOf(start: Buffer, end: Buffer): string | undefined {
  const bytes = start.toString('latin1');
  const format = ZIP.some((signature) => bytes.startsWith(signature))
    ? archiveOf(bytes + end.toString('latin1'))
    : formatOfStart(bytes);
  return format === undefined ? undefined : `The file is ${format}`;
}

function archiveOf(bytes: string): string {
  const spreadsheet = SPREADSHEETS.find(([content]) => bytes.includes(content))?.[1];
  return spreadsheet === undefined
    ? `a ZIP archive, such as a workbook of a spreadsheet, not a CSV. Unpack it, or save the workbook as CSV (UTF-8).`
    : `${spreadsheet}, not a CSV. ${HOW_TO_SAVE}`;
}

function formatOfStart(bytes: string): string | undefined {
  // In UTF-16, every second byte of ASCII is NUL.
  const text = bytes.slice(0, MAX_START_LENGTH).replace(BYTE_ORDER_MARK, '').replaceAll('\0', '').trimStart();
  return (SIGNATURES.find(([start]) => bytes.startsWith(start)) ?? TEXTS.find(([start]) => start.test(text)))?.[1];
}
