import { contactIn } from '../webhook-event.queries.js';
import type { EventsToStore } from './store-events.queries.js';

/**
 * A thousand contacts may have 64 MB. The driver escapes the parameters of a statement at a stretch, a megabyte with many
 * quotation marks in 60 ms.
 */
const MAX_PART_CHARACTERS = 1_048_576;

/**
 * Encodes the events of one name as JSON.
 * @param batch the `data` of each event
 * @returns them in parts of about a megabyte, for one statement each. A part is encoded when the one before is stored.
 */
export function* encodedParts(event: string, batch: readonly object[]): Generator<EventsToStore> {
  let [data, contacts, characters]: [string[], (number | null)[], number] = [[], [], 0];
  for (const each of batch) {
    const text = JSON.stringify(each);
    if (data.length > 0 && characters + text.length > MAX_PART_CHARACTERS) {
      yield { event, data, contacts };
      [data, contacts, characters] = [[], [], 0];
    }
    data.push(text);
    contacts.push(contactIn(event, each));
    characters += text.length;
  }
  if (data.length > 0) yield { event, data, contacts };
}
