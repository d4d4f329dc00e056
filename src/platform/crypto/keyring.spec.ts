import { Signer } from '@outreach/keyring';
import { Keyring } from './index.js';

const keyring = new Keyring(['correct horse battery staple']);

it('a keyring decrypts a text that was encrypted by the first release', () => {
  const encrypted = 'v1.s7OQ_43N.s1-EpfNSqyIWrxFRClGpsoWRjS-IdeN7nsvvXyrImCOc3AtaOA';
  expect(keyring.decrypt(encrypted, 'email_account:smtp_password:7')).toBe('pässword');
});

it('a token verifies if the first release signed it: links in mail stay valid for years', () => {
  expect(new Signer(keyring).verifyIds('unsubscribe', 'DM6MFRGivcAp8eEt_bg4eFygWCw', 2)).toEqual([12, 345_678]);
});
