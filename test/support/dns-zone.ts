import type { MxRecord } from 'node:dns';
import type { Records } from './dns-server.js';

/** As the type of `packages/egress`, which this file does not import: its specs import this folder. */
type Result<T> = { kind: 'found'; records: readonly T[] } | { kind: 'none' } | { kind: 'unavailable' };

/** Returns what a name server would say, from records in memory: `undefined` for a name that is not answered for. */
export function zone(names: Readonly<Record<string, Records | undefined>>) {
  const asked: string[] = [];
  const found = <T>(name: string, recordsOf: (records: Records) => readonly T[]): Promise<Result<T>> => {
    asked.push(name);
    if (name in names && names[name] === undefined) return Promise.resolve({ kind: 'unavailable' });
    const records = recordsOf(names[name] ?? {});
    return Promise.resolve(records.length > 0 ? { kind: 'found', records } : { kind: 'none' });
  };
  return {
    asked,
    txt: (name: string) => found(name, ({ TXT = [] }) => TXT),
    mx: (name: string) =>
      found<MxRecord>(name, ({ MX = [] }) => MX.map(([priority, exchange]) => ({ priority, exchange }))),
    addresses: (name: string) => found(name, ({ A = [], AAAA = [] }) => [...A, ...AAAA]),
    cname: (name: string) => found(name, ({ CNAME }) => (CNAME === undefined ? [] : [CNAME])),
  };
}
