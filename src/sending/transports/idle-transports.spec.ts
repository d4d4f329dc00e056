import { IdleTransports, idleKeyOf } from './idle-transports.js';
import type { Transport } from './transport.js';

const scope = { workspace_id: 1 };
const withKey = (api_key: string) => ({ type: 'sendgrid' as const, api_key });
const credentials = withKey('SG.secret');

/** A transport without a server. */
function newTransport(): Transport {
  let isOpen = true;
  return {
    get isOpen() {
      return isOpen;
    },
    hasSession: true,
    send: () => Promise.resolve({ kind: 'accepted', response: 'OK' }),
    close: () => (isOpen = false),
  };
}

describe('IdleTransports', () => {
  let idle: IdleTransports;
  beforeEach(() => (idle = new IdleTransports()));
  afterEach(() => idle.clear());

  it('returns the transport that was added last, to its workspace and with its credentials alone', () => {
    const [first, last] = [newTransport(), newTransport()];
    for (const transport of [first, last]) idle.add(scope, credentials, transport);
    expect(idle.take({ workspace_id: 2 }, credentials)).toBeUndefined();
    expect(idle.take(scope, withKey('SG.other'))).toBeUndefined();
    expect([idle.take(scope, credentials), idle.take(scope, credentials)]).toEqual([last, first]);
    expect(idle.take(scope, credentials)).toBeUndefined();
  });

  it('has no credentials whose transports were all acquired, or have been closed', () => {
    idle.add(scope, credentials, newTransport());
    idle.take(scope, credentials);
    expect(idle.size).toBe(0);
    const closed = newTransport();
    idle.add(scope, credentials, closed);
    closed.close();
    expect(idle.take(scope, credentials)).toBeUndefined();
    expect(idle.size).toBe(0);
  });

  it('closes all of them at the end', () => {
    const transport = newTransport();
    idle.add(scope, credentials, transport);
    idle.clear();
    expect([transport.isOpen, idle.size]).toEqual([false, 0]);
  });
});

describe('idleKeyOf', () => {
  it('returns the same key for the same credentials of a workspace: a hash', () => {
    const key = idleKeyOf(scope, credentials);
    expect(idleKeyOf({ workspace_id: 1 }, { ...credentials })).toBe(key);
    expect(key).toMatch(/^[\w-]{43}$/);
  });
});
