import type { Response } from 'express';
import multer, { diskStorage, MulterError, type Options } from 'multer';
import { BadRequest, ValidationFailed } from '@outreach/http-errors';
import { hasBody, isAborted, MEGABYTE, requestAborted, startReading, malformedForm } from '../body/index.js';
import { addInputErrors, type ApiRequest, ReceivedFile } from '../requests/index.js';
import { plainName, unknownField } from '../fields/index.js';
import type { UploadRule } from './uploads.js';

/** Enough for the IDs, names and flags that forms have beside the file. */
const LIMITS = {
  files: 10,
  fields: 2_000,
  parts: 2_010,
  fieldSize: 10_000,
  fieldNameSize: 200,
  fieldNestingDepth: 2,
  fieldArrayIndexLimit: 2_000,
};

/**
 * Reads a form: its file into `folder`, its fields into the request's body. A missing file and a file in another field
 * become errors of the input.
 * @throws ValidationFailed if the file is too large or a field exceeds a limit: the rest of the form is not read then
 * @throws BadRequest 415 if the body is not a form, 400 if it is malformed or incomplete
 */
export async function receiveForm(
  request: ApiRequest,
  response: Response,
  folder: string,
  rule: UploadRule,
): Promise<ReceivedFile | undefined> {
  if (isAborted(request)) throw requestAborted();
  if (!hasBody(request)) return missingFile(request, rule);
  if (!request.is('multipart/form-data')) throw new BadRequest(415, 'The body must be sent as multipart/form-data.');
  startReading(request, response);
  const otherFiles = new Set<string>();
  const read = multer({
    storage: diskStorage({ destination: folder, filename: (_request, _file, callback) => callback(null, 'upload') }),
    limits: { ...LIMITS, fileSize: rule.maxBytes },
    defParamCharset: 'utf8',
    fileFilter: singleFileFilter(rule, otherFiles),
  }).any();
  await new Promise<void>((resolve, reject) => {
    void read(request, response, (error: unknown) => {
      if (error) reject(toDomainError(error, request, rule));
      else resolve();
    });
  });
  // multer ignores a body whose content type it cannot parse, e.g. because its boundary is empty.
  if (!request.files) throw malformedForm();
  const [file] = request.files as Express.Multer.File[];
  for (const name of otherFiles) addInputErrors(request, { [name]: [unknownField(name, [rule.field])] });
  return file ? new ReceivedFile(file.path, file.size, fileName(file)) : missingFile(request, rule);
}

const MAX_NAME_LENGTH = 255;

/** The name in a form that can be stored and shown on one line. */
function fileName({ originalname: name }: Express.Multer.File): string | null {
  return [...plainName(name.toWellFormed(), '')].slice(0, MAX_NAME_LENGTH).join('') || null;
}

function missingFile(request: ApiRequest, { field }: UploadRule): undefined {
  addInputErrors(request, { [field]: [`${field} must be a file`] });
  return undefined;
}

/** Accepts one file. Adds the names of other fields with files to `otherFiles`. */
function singleFileFilter({ field }: UploadRule, otherFiles: Set<string>): NonNullable<Options['fileFilter']> {
  let accepted = 0;
  return (_request, { fieldname }, accept) => {
    if (fieldname !== field) {
      otherFiles.add(fieldname);
      accept(null, false);
    } else if (accepted++ === 0) accept(null, true);
    else accept(new MulterError('LIMIT_FILE_COUNT', field));
  };
}

/**
 * Turns an error of multer or its parser into one for the client. An error of the file system stays unchanged.
 */
function toDomainError(error: unknown, request: ApiRequest, rule: UploadRule): unknown {
  if (error instanceof MulterError) {
    return new ValidationFailed({ [error.field ?? rule.field]: [messageOf(error, rule)] });
  }
  if (isAborted(request)) return requestAborted();
  if (error instanceof Error && 'syscall' in error) return error;
  return malformedForm();
}

function messageOf(error: MulterError, { field, maxBytes }: UploadRule): string {
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
      return `${field} must not be larger than ${maxBytes / MEGABYTE} MB`;
    case 'LIMIT_FIELD_VALUE':
      return `${error.field ?? 'a field'} must not be longer than ${LIMITS.fieldSize.toLocaleString('en')} bytes`;
    default:
      return error.message;
  }
}
