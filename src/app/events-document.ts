import type { OutgoingRequest } from '../platform/http/index.js';
import { DELIVERY_HEADERS } from '../webhooks/index.js';

const INTRODUCTION = `
# Events

What a webhook of a workspace hears of. An event is written down in the transaction that causes it: none without its
cause, no cause without it. How to receive one and to check its signature: [webhooks.md](webhooks.md).

## A delivery

An HTTP \`POST\` with \`Content-Type: application/json\`, \`User-Agent: Outreach-Webhooks/1\` and these headers:
`.trim();

const RULES = `
- The receiver answers with a 2xx status within 10 seconds. Redirects are not followed: a 3xx is a failure like any other.
- A delivery that failed is repeated after growing pauses, which [webhooks.md](webhooks.md#when-a-delivery-fails) has: eight attempts in all.
- After a failure the webhook's other deliveries wait, until one attempt succeeds. Ten failed attempts in a row make it
  inactive.
- Delivery is at least once, in no promised order: \`X-Service-Delivery\` is the same whenever a delivery is repeated, and
  the dates in \`data\` sort what arrives.
- Every attempt is logged for 30 days.

## The bodies

\`{ "event": …, "workspace_id": …, "data": … }\`. What \`data\` holds is in the API reference as a schema, too. Fields may be
added.
`.trim();

/** Markdown about events, with an example of each. */
export const eventsDocument = (events: readonly OutgoingRequest[]): string =>
  [INTRODUCTION, headerTable(), RULES, ...events.map(section)].join('\n\n').concat('\n');

const headerTable = (): string =>
  [
    '<!-- prettier-ignore -->',
    '| Header | |',
    '|---|---|',
    ...Object.entries(DELIVERY_HEADERS).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
  ].join('\n');

const section = ({ name, when, example }: OutgoingRequest): string =>
  [`### ${name}`, when, ['```json', JSON.stringify(example, null, 2), '```'].join('\n')].join('\n\n');
