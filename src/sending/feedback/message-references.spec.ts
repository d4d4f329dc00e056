import { BackgroundSteps, KeyActivity } from '@outreach/concurrency';
import { Signer } from '@outreach/keyring';
import { Keyring } from '../../platform/crypto/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MessageLinks } from '../message-links.js';
import { MessageReferences } from './message-references.js';

const keyring = new Keyring(['a key that only tests use']);
const signer = new Signer(keyring);
const links = new MessageLinks(signer, keyring, { public_url: 'https://outreach.example' });
const steps = new BackgroundSteps(new KeyActivity());
const references = new MessageReferences(links, steps);
const scope = { workspace_id: 7 } as WorkspaceScope;
const idOf = (enrollment_id: number) => links.messageId(7, { enrollment_id, step_id: 3 }, 'a@b.example');

describe('MessageReferences', () => {
  afterEach(() => jest.restoreAllMocks());

  it('verifies each Message-ID once, and returns what it refers to as often as it is passed', async () => {
    const verify = jest.spyOn(signer, 'verify');
    const found = await references.find(scope, [idOf(1), idOf(2), idOf(1)]);
    expect(found.map((ref) => ref.enrollment_id)).toEqual([1, 2, 1]);
    expect(verify).toHaveBeenCalledTimes(2);
  });

  it('computes no MAC for thousands of Message-IDs that others have made', async () => {
    const verify = jest.spyOn(signer, 'verify');
    const made = Array.from({ length: 17_000 }, (_, number) => `${'made-up'.repeat(5)}${number}@b.example`);
    expect(await references.find(scope, made)).toEqual([]);
    expect(verify).not.toHaveBeenCalled();
  });

  it('works in steps on many Message-IDs, of which only forged ones are left out', async () => {
    const map = jest.spyOn(steps, 'map');
    const forged = Array.from({ length: 500 }, (_, number) => idOf(number).replace(/.{4}@/, 'AAAA@'));
    const found = await references.find(scope, [...forged, idOf(1)]);
    expect(found.map((ref) => ref.enrollment_id)).toEqual([1]);
    expect(map).toHaveBeenCalledTimes(1);
  });
});
