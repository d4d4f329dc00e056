// docs/events.md: how events are delivered, and an example of each.
const INTRODUCTION = `
# Events

The events that the service sends to the webhooks of a workspace. An event is stored in the transaction that causes it, so
neither exists without the other. [webhooks.md](webhooks.md) describes how to receive an event and check its signature.

## A delivery

An HTTP \`POST\` with \`Content-Type: application/json\`, \`User-Agent: Outreach-Webhooks/1\` and these headers:
`.trim();

const RULES = `
- The receiver responds with a 2xx status within 10 seconds. Redirects are not followed: a 3xx status is a failure.
- A failed delivery is repeated with growing pauses, eight attempts in all; [webhooks.md](webhooks.md#handle-failed-deliveries) lists the pauses.
- After a failure, the webhook's other deliveries wait until one attempt succeeds. Ten failed attempts in a row deactivate
  the webhook.
- Each event is delivered at least once, and events may arrive in any order. \`X-Service-Delivery\` is the same each time a
  delivery is repeated, and the dates in \`data\` give the order of events.
- Every attempt is logged for 30 days.

## The bodies

\`{ "event": …, "workspace_id": …, "data": … }\`. The API reference has the schemas of \`data\`. Fields may be added.
`.trim();

/**
 * @returns the page about events in Markdown
 * @param events `eventReference` of app
 * @param headers those of a delivery: name → meaning
 */
export const eventsPage = (events, headers) =>
  [INTRODUCTION, headerTable(headers), RULES, ...events.map(section)].join('\n\n').concat('\n');

const headerTable = (headers) =>
  [
    '<!-- prettier-ignore -->',
    '| Header | |',
    '|---|---|',
    ...Object.entries(headers).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
  ].join('\n');

const section = ({ name, when, example }) =>
  [`### ${name}`, when, ['```json', JSON.stringify(example, null, 2), '```'].join('\n')].join('\n\n');
