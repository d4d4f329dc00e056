import type { Response } from 'express';
import multer, { diskStorage, MulterError, type Options } from 'multer';
import { BadRequest, ValidationFailed } from '../../errors/index.js';
import { hasBody, MEGABYTE } from '../body.js';
import type { ServiceRequest } from '../request.js';
import { UploadedFile } from './uploaded-file.js';
import type { UploadRule } from './uploads.js';

/** Forms carry IDs, names and flags beside their file. More is no form of ours. */
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
 * Reads a form: its file into `folder`, its fields into the body. Parts with files of other names are passed over.
 * @throws ValidationFailed naming the field where the file is missing or too large, or another field breaks a limit
 * @throws BadRequest 415 where the body is no form, 400 where it is malformed or cut off
 */
export async function receiveForm(
  request: ServiceRequest,
  response: Response,
  folder: string,
  rule: UploadRule,
): Promise<UploadedFile> {
  if (isCutOff(request)) throw cutOff();
  if (!hasBody(request)) throw missing(rule);
  if (!request.is('multipart/form-data')) throw new BadRequest(415, 'The body must be sent as multipart/form-data.');
  const read = multer({
    storage: diskStorage({ destination: folder, filename: (_request, _file, done) => done(null, 'upload') }),
    limits: { ...LIMITS, fileSize: rule.maxBytes },
    fileFilter: onlyOne(rule),
  }).any();
  await new Promise<void>((resolve, reject) => {
    void read(request, response, (error: unknown) => {
      if (error) reject(refusal(error, request, rule));
      else resolve();
    });
  });
  const [file] = request.files as Express.Multer.File[];
  if (!file) throw missing(rule);
  return new UploadedFile(file.path, file.size);
}

const missing = ({ field }: UploadRule) => new ValidationFailed({ [field]: [`${field} must be a file`] });

const isCutOff = (request: ServiceRequest): boolean => request.destroyed && !request.complete;

const cutOff = () => new BadRequest(400, 'The request ended before its body did.');

function onlyOne({ field }: UploadRule): NonNullable<Options['fileFilter']> {
  let taken = 0;
  return (_request, { fieldname }, take) => {
    if (fieldname !== field) take(null, false);
    else if (taken++ === 0) take(null, true);
    else take(new MulterError('LIMIT_FILE_COUNT', field));
  };
}

/** What multer's and its parser's errors mean. Those of the disk are ours. */
function refusal(error: unknown, request: ServiceRequest, rule: UploadRule): unknown {
  if (error instanceof MulterError) {
    return new ValidationFailed({ [error.field ?? rule.field]: [sentence(error, rule)] });
  }
  if (isCutOff(request)) return cutOff();
  if (error instanceof Error && 'syscall' in error) return error;
  return new BadRequest(400, 'The form could not be read: it is malformed or ends too early.');
}

function sentence(error: MulterError, { field, maxBytes }: UploadRule): string {
  return error.code === 'LIMIT_FILE_SIZE'
    ? `${field} must not be larger than ${maxBytes / MEGABYTE} MB`
    : error.message;
}
