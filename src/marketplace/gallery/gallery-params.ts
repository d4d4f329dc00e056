import { type GalleryParams, galleryParams } from '@outreach/gallery-pages';
import { languageOf } from '@outreach/html-pages';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Returns the parameters of a request. Without a language in the URL, `Accept-Language` decides. */
export const galleryParamsOf = (request: Request): GalleryParams => galleryParams(request.query, languageOf(request));

/** The parameters of the request, for a controller. */
export const FromQuery = createParamDecorator((_: unknown, context: ExecutionContext): GalleryParams =>
  galleryParamsOf(context.switchToHttp().getRequest<Request>()),
);
