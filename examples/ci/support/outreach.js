// Calls of the API with Node's fetch. OUTREACH_URL and OUTREACH_TOKEN say where, and in which workspace.
const { OUTREACH_URL: url = 'http://localhost:3000', OUTREACH_TOKEN: token } = process.env;
if (!token) throw new Error('Required: OUTREACH_TOKEN, the token of a sandbox workspace.');

/** Sends a request. Returns status and parsed body, whatever the status is. */
async function request(method, path, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : null };
}

/** Sends a request that must succeed. Returns the record or records of the response. */
async function call(method, path, body) {
  const response = await request(method, path, body);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body?.data ?? response.body;
}

const api = {
  request,
  get: (path) => call('GET', path),
  post: (path, body) => call('POST', path, body),
  put: (path, body) => call('PUT', path, body),
};

/** Puts the clock of the sandbox forward, and waits until everything that became due is done. */
async function advance(seconds) {
  let clock = await api.post('/sandbox/clock', { advance_seconds: seconds });
  while (!clock.is_settled) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    clock = await api.get('/sandbox/clock');
  }
}

/** Returns what was sent to an address, the oldest message first. */
async function messagesTo(address) {
  const messages = await api.get(`/sandbox/messages?to=${encodeURIComponent(address)}`);
  return messages.sort((one, other) => one.id - other.id);
}

/** Returns all events of the workspace, page after page, as a program does that stores the last ID that it has read. */
async function allEvents() {
  const events = [];
  for (let after = 0; ; ) {
    const { body } = await request('GET', `/events?after=${after}&limit=10`);
    if (body.data.length === 0) return events;
    events.push(...body.data);
    after = body.meta.next_after;
  }
}

module.exports = { api, advance, messagesTo, allEvents };
