import { type CsvFile, NotCsv, openCsv, quotedName } from '@outreach/csv-files';
import { type FieldErrors, ValidationFailed } from '@outreach/http-errors';
import type { ReceivedFile } from '@outreach/http-api/requests';
import type { InputCheck } from '@outreach/http-api/validation';
import { headerTest, readMapping } from './mapping.js';

const opened = new WeakMap<ReceivedFile, Promise<CsvFile>>();

/** Opens an upload once, for its checks and for the import. @throws ValidationFailed on `file` if it is no CSV */
export function uploadedCsv(upload: ReceivedFile): Promise<CsvFile> {
  const file = opened.get(upload) ?? openContactFile(upload.path);
  opened.set(upload, file);
  return file;
}

/** Opens a file of contacts. @throws ValidationFailed on `file` if it is no CSV */
export const openContactFile = (path: string): Promise<CsvFile> => withFileError(() => openCsv(path));

/** Reads a file. @throws ValidationFailed on `file` if it is no CSV */
export async function withFileError<R>(read: () => R | Promise<R>): Promise<R> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof NotCsv ? new ValidationFailed({ file: [error.message] }) : error;
  }
}

/** The mapping of an input, which is checked later. */
interface WithMapping {
  readonly mapping?: Readonly<Record<string, unknown>>;
}

/** Returns the errors of the uploaded file and of the mapping of its columns, on `file` and `mapping.<field>`. */
export const fileErrors: InputCheck<WithMapping> = async ({ mapping }, { context: { upload }, isRefused }) => {
  if (!upload) return {};
  const file = await uploadedCsv(upload);
  if (isRefused('mapping')) return {};
  const { errors } = await withFileError(() => readMapping(file, mapping));
  return Object.keys(errors).length > 0 ? ((await preambleError(file, mapping)) ?? errors) : {};
};

/** The error of a file whose header is not its first record, which explains all those of the mapping. */
async function preambleError(file: CsvFile, mapping: WithMapping['mapping']): Promise<FieldErrors | undefined> {
  const header = await file.headerBelow(headerTest(mapping));
  if (!header) return undefined;
  const [first = ''] = file.columns.filter(Boolean);
  const columns = header.columns.slice(0, MAX_SHOWN_COLUMNS).map(quotedName).join(', ');
  return {
    file: [
      `The header seems to be in line ${header.line} (${columns}), below other text (${quotedName(first)}). ` +
        'Delete the lines above it.',
    ],
  };
}

const MAX_SHOWN_COLUMNS = 5;
