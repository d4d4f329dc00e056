import { DomainEvents } from '../../src/platform/events/index.js';
import type { TestService } from './service.js';

/** Ends what `recordContactEvents` has begun, because other files use the service, too. */
export function stopRecording({ app }: TestService): void {
  Reflect.deleteProperty(app.get(DomainEvents, { strict: false }), 'publish');
}
