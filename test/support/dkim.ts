import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

/** A key pair of a domain: the private key as PEM, and the TXT record with the public one. */
export interface DkimPair {
  readonly pem: string;
  readonly pkcs1: string | undefined;
  readonly record: string;
}

const rawEd25519 = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' }).subarray(-32);

/** Generates a key pair: RSA of a length in bits, or Ed25519 without one. */
export function dkimPair(bits?: number): DkimPair {
  if (bits === undefined) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const record = `v=DKIM1; k=ed25519; p=${rawEd25519(publicKey).toString('base64')}`;
    return { pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), pkcs1: undefined, record };
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    pkcs1: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    record: `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  };
}

/** What another implementation finds in a message. */
export interface VerifiedSignature {
  readonly result: string;
  readonly domain: string;
  readonly algorithm: string;
  /** The names of the signed headers in lower case, sorted. */
  readonly headers: readonly string[];
}

/** Verifies the signatures of a message with the records of a domain, by name. */
export async function verifySignatures(
  raw: string,
  records: Readonly<Record<string, string>>,
): Promise<VerifiedSignature[]> {
  const resolver = (name: string): Promise<string[][]> => {
    const record = records[name];
    if (record === undefined) return Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));
    return Promise.resolve([[record]]);
  };
  const { results } = await dkimVerify(Buffer.from(raw, 'latin1'), { resolver });
  return results.map(({ status, signingDomain }) => ({
    result: status.result,
    domain: signingDomain,
    algorithm: /\ba=([^;]+);/.exec(raw)?.[1] ?? '',
    headers: signedHeaders(raw),
  }));
}

const signedHeaders = (raw: string): string[] =>
  (/\bh=([^;]+);/.exec(raw)?.[1] ?? '').replace(/\s+/g, '').split(':').sort();
