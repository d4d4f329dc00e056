import { reasonOf } from '@outreach/command-line';
import type { Log } from '@outreach/logging';
import { loadedExtensions } from '../../platform/extensions/index.js';
import { isForOperator, StartFailed } from '../start-failed.js';
import { isOfService } from './import-hook.js';

/** The place of a line of a stack: `file:///modules/notes/index.js:3:7`. */
const PLACE = /\(?(file:[^()\s]+:\d+:\d+)\)?$/;

/**
 * @returns what the start of the service fails with. With extension modules an unexpected error is most likely one of them:
 *   it becomes one line with the place in the module, and the log has its stack at the level `debug`.
 */
export function explainFailure(error: unknown, log: Log): unknown {
  const names = loadedExtensions().map(({ name }) => name);
  if (names.length === 0 || !(error instanceof Error) || isForOperator(error)) return error;
  log.debug('the start failed', { error });
  const [reason = ''] = error.message.split('\n');
  const place = placeInModule(error);
  return new StartFailed(
    `The start with OUTREACH_MODULES (${names.join(', ')}) failed: ${reasonOf(new Error(reason))}${place ? `, at ${place}` : ''}.`,
  );
}

/** @returns the first place of the stack that is not in the service */
const placeInModule = ({ stack = '' }: Error): string | undefined =>
  stack
    .split('\n')
    .map((line) => PLACE.exec(line)?.[1])
    .find((place) => place !== undefined && !isOfService(place));
