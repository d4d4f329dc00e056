import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { ApiRequest, ReceivedFile } from '../requests/index.js';

/** What a route takes as `multipart/form-data` (RFC 7578). */
export interface UploadRule {
  /** Name of the part that holds the file. */
  readonly field: string;
  /** A file of exactly this size is accepted. */
  readonly maxBytes: number;
}

/** Metadata key of the {@link UploadRule} of a route. */
export const UPLOAD = Symbol('upload');

/**
 * The route accepts a form with one file of at most `maxBytes` in `field`. The other fields become the body: `lists[]`
 * an array, `mapping[email]` an object. The form is read after the guards, so a refused request writes nothing to disk.
 */
export const AcceptsUpload = (field: string, maxBytes: number): MethodDecorator =>
  SetMetadata(UPLOAD, { field, maxBytes } satisfies UploadRule);

/** The file that `@AcceptsUpload` has received. */
export const Uploaded = createParamDecorator((_: unknown, context: ExecutionContext): ReceivedFile => {
  const { upload } = context.switchToHttp().getRequest<ApiRequest>();
  if (!upload) throw new Error('@Uploaded() needs @AcceptsUpload() on its route.');
  return upload;
});
