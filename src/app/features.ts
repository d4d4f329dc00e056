import { type Type } from '@nestjs/common';

/** The modules of the service that answer requests. */
export const features: Type[] = [];
