import type { EncryptedColumn, Keyring } from '../../platform/crypto/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { DataSubject } from './data-subject.js';

const contextOf = (workspaceId: number, id: number): string => `erasure:subject:${workspaceId}:${id}`;

/** The encrypted column of erasures. */
export const ENCRYPTED_SUBJECTS: EncryptedColumn = {
  table: 'erasures',
  column: 'subject_encrypted',
  primary_key: ['workspace_id', 'id'],
  meaning: 'search terms of erasures',
  contextOf: ({ workspace_id: workspaceId, id }) => contextOf(Number(workspaceId), Number(id)),
};

/** Encrypts what an erasure searches for. */
export const encryptSubject = (keyring: Keyring, scope: WorkspaceScope, id: number, subject: DataSubject): string =>
  keyring.encrypt(JSON.stringify(subject), contextOf(scope.workspace_id, id));

/** Returns what {@link encryptSubject} has encrypted. @throws DecryptionFailed */
export const decryptSubject = (keyring: Keyring, scope: WorkspaceScope, id: number, encrypted: string): DataSubject =>
  JSON.parse(keyring.decrypt(encrypted, contextOf(scope.workspace_id, id))) as DataSubject;
