import type { InputCheck, ReceivedFile } from '../../platform/http/index.js';
import { type CsvFile, openCsv } from './csv/csv-file.js';
import { readMapping } from './mapping.js';

const opened = new WeakMap<ReceivedFile, Promise<CsvFile>>();

/** Opens an upload once, for its checks and for the import. @throws NotCsv */
export function uploadedCsv(upload: ReceivedFile): Promise<CsvFile> {
  const file = opened.get(upload) ?? openCsv(upload.path);
  opened.set(upload, file);
  return file;
}

/** Returns the errors of the uploaded file and of the mapping of its columns, on `file` and `mapping.<field>`. */
export const fileErrors: InputCheck<{ readonly mapping?: Readonly<Record<string, unknown>> }> = async (
  { mapping },
  { context: { upload }, isRefused },
) => {
  if (!upload) return {};
  const file = await uploadedCsv(upload);
  return isRefused('mapping') ? {} : readMapping(file, mapping).errors;
};
