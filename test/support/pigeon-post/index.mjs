// The list: the type of the accounts, and the provider.
import { defineExtension, Inject, Log, Module } from 'outreach/extension';
import { pigeon } from './provider.mjs';

/** Logs what nobody should read. */
class PigeonPost {
  constructor(log) {
    log.info('a pigeon', { account: { pigeon_token: 'GB-17' } });
  }
}
Inject(Log)(PigeonPost, undefined, 0);

class PigeonModule {}
Module({ providers: [PigeonPost] })(PigeonModule);

export default defineExtension({ name: 'pigeon', module: PigeonModule, mailProviders: { pigeon } });
