import type { INestApplicationContext } from '@nestjs/common';
import { Routes } from '@outreach/http-api/routes';
import { PublicEvents } from '../../platform/events/index.js';
import { loadedExtensions } from '../../platform/extensions/index.js';
import { EVENT_NAMES } from '../../webhooks/index.js';
import { PERMISSIONS } from '../../workspaces/index.js';
import { StartFailed } from '../start-failed.js';
import { routeErrors } from './route-errors.js';

/**
 * Checks what the controllers and providers of extension modules declare.
 * @throws StartFailed if a route cannot be reached or needs a permission that does not exist, or an event is not declared
 */
export function assertExtensionsWork(app: INestApplicationContext): void {
  if (loadedExtensions().length === 0) return;
  const declared = { routes: app.get(Routes).all(), publicEvents: app.get(PublicEvents).all() };
  const errors = routeErrors(declared, { permissions: PERMISSIONS, events: EVENT_NAMES });
  if (errors.length > 0) throw new StartFailed(`OUTREACH_MODULES: ${errors.join('; ')}.`);
}
