import { Module } from '@nestjs/common';
import { HashKeyStore } from './hash-key.cross-tenant.js';

/** Provides the key with which addresses are hashed that must be recognised without being stored. */
@Module({ providers: [HashKeyStore], exports: [HashKeyStore] })
export class KeyedHashModule {}
