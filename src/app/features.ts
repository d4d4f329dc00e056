import { type Type } from '@nestjs/common';
import { BlacklistModule } from '../blacklist/index.js';
import { TemplatesModule } from '../templates/index.js';

/** The modules of the service, but for those of one half only. */
export const features: Type[] = [BlacklistModule, TemplatesModule];

/** The modules that work in the background. */
export const workers: Type[] = [];

/** The names of the queues that they work on. */
export const queues: string[] = [];
