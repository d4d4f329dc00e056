import { LabelledKeyring } from '@outreach/keyring';

/** The keys of the service (`ENCRYPTION_KEY`, API v1). */
export class Keyring extends LabelledKeyring {
  constructor(keys: readonly string[]) {
    super(keys, { label: 'outreach/v1', setting: 'ENCRYPTION_KEY' });
  }
}
