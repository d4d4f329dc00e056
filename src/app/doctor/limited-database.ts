import { CHECK_TIMEOUT_MS } from '@outreach/command-line';
import type { DataSource } from 'typeorm';
import { Database } from '../../platform/database/index.js';
import { requestLimits } from '@outreach/database';

/** PostgreSQL ends a statement before the check is given up, so that none runs on after the command. */
const STATEMENT_TIMEOUT_MS = CHECK_TIMEOUT_MS - 1_000;

/** The database for checks, with a time limit for each statement. */
export const limitedDatabase = (source: DataSource): Database =>
  new Database(source).withTimeLimits(requestLimits(STATEMENT_TIMEOUT_MS));
