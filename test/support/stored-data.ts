import type { TestDatabase } from './test-database.js';
import { onRedis, redisSettings } from './test-redis.js';

/** Everything that is stored: the name of a table, or a key in Redis → its content as text. */
export async function storedData(database: TestDatabase): Promise<ReadonlyMap<string, string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE relkind IN ('r', 'm') AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg_toast%'`,
  );
  const stored = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await database.query<{ text: string }>(`SELECT record::text AS text FROM ${name} record`);
    stored.set(name, rows.map(({ text }) => text).join('\n'));
  }
  const { REDIS_URL: url } = redisSettings(database);
  if (url) for (const [key, value] of await redisData(url)) stored.set(`redis ${key}`, value);
  return stored;
}

async function redisData(url: string): Promise<Map<string, string>> {
  const stored = new Map<string, string>();
  await onRedis(url, async (server) => {
    for (const key of await server.keys('*'))
      stored.set(key, `${key} ${(await server.dumpBuffer(key))?.toString('latin1')}`);
  });
  return stored;
}

/** Returns the forms in which a value can be part of a text, in lower case. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const quotedPrintable = [...bytes].map((byte) =>
    byte < 0x21 || byte > 0x7e || byte === 0x3d ? `=${byte.toString(16).padStart(2, '0')}` : String.fromCharCode(byte),
  );
  // A value begins at any of three positions of a base64 group; the characters that it shares with its neighbours are left out.
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(offset === 0 ? 0 : offset + 1, -1);
  });
  const forms = [value, encodeURIComponent(value), encodeURI(value), quotedPrintable.join(''), bytes.toString('hex')];
  const json = JSON.stringify(value).slice(1, -1);
  return [...forms, json, value.replaceAll('@', '=40'), ...base64, ...base64.map(urlSafe)].map((form) =>
    form.toLowerCase(),
  );
}

const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_');

/** Returns where values occur in what is stored, in any encoding: `table: value`. */
export function occurrences(stored: ReadonlyMap<string, string>, values: readonly string[]): string[] {
  const searched = values.map((value) => [value, [...new Set(formsOf(value))]] as const);
  return [...stored].flatMap(([name, text]) => {
    const lower = text.toLowerCase();
    return searched
      .filter(([, forms]) => forms.some((form) => lower.includes(form)))
      .map(([value]) => `${name}: ${value}`);
  });
}
