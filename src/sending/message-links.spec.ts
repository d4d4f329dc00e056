import { Signer } from '@outreach/keyring';
import { Keyring } from '../platform/crypto/index.js';
import { MessageLinks } from './message-links.js';

const keyring = new Keyring(['a key that only tests use']);
const signer = new Signer(keyring);
const links = new MessageLinks(signer, keyring, { public_url: 'https://outreach.example' });
const ofStep = { enrollment_id: 12, step_id: 3 };
const ofAnswer = { enrollment_id: 12, step_id: null, id: 9 };

describe('the enrollment of a Message-ID', () => {
  it('is returned for the workspace that has created it, whatever its domain is', () => {
    for (const message of [ofStep, ofAnswer]) {
      const id = links.messageId(7, message, 'sales@sender.example');
      expect(links.enrollmentOf(7, id)).toBe(12);
      expect(links.enrollmentOf(7, id.replace(/@.*/, '@Sender.Example'))).toBe(12);
      expect(links.enrollmentOf(8, id)).toBeUndefined();
    }
  });

  it('costs no MAC for Message-IDs that others have made, and one for those that claim to be of the workspace', () => {
    const verify = jest.spyOn(signer, 'verify');
    const [own, other] = [7, 8].map((workspace) => links.messageId(workspace, ofStep, 'a@b.example'));
    const made = [
      'CAF+k1p9mWQ0xg@mail.gmail.example',
      '<>',
      '',
      '@',
      'A'.repeat(27),
      'A'.repeat(1_000_000),
      `x${own}`,
      String(other),
      signer.signIds('message-id', [7, 12]),
      signer.sign('message-id', Buffer.from('no IDs')),
    ];
    expect(made.filter((id) => links.enrollmentOf(7, id) !== undefined)).toEqual([]);
    expect(verify).not.toHaveBeenCalled();
    expect(links.enrollmentOf(7, `${String(own).slice(0, -20)}AAAA`)).toBeUndefined();
    expect(verify.mock.calls.length).toBeLessThanOrEqual(1);
    verify.mockRestore();
  });
});
