import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { ServiceRequest } from '../request.js';
import type { UploadedFile } from './uploaded-file.js';

/** What a route takes as `multipart/form-data` (RFC 7578). */
export interface UploadRule {
  /** Name of the part that holds the file. */
  readonly field: string;
  /** The largest file in bytes; one of exactly that size is taken. */
  readonly maxBytes: number;
}

export const UPLOAD = Symbol('upload');

/**
 * The route takes a form with one file of at most `maxBytes` in `field`; the other fields become the body, with
 * `lists[]` an array and `mapping[email]` an object. Read after the guards: those who may not call send nothing to disk.
 */
export const AcceptsUpload = (field: string, maxBytes: number): MethodDecorator =>
  SetMetadata(UPLOAD, { field, maxBytes } satisfies UploadRule);

/** The file that `@AcceptsUpload` has received. */
export const Uploaded = createParamDecorator((_: unknown, context: ExecutionContext): UploadedFile => {
  const { upload } = context.switchToHttp().getRequest<ServiceRequest>();
  if (!upload) throw new Error('@Uploaded() needs @AcceptsUpload() on its route.');
  return upload;
});
