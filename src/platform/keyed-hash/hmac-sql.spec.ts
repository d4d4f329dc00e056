import { HmacKey } from './hmac-sql.js';
import { sql } from '../database/index.js';

it('an HMAC key has at most 64 bytes', () => {
  expect(() => new HmacKey(Buffer.alloc(65))).toThrow(RangeError);
});

it('the key itself is not a parameter of the SQL', () => {
  const key = Buffer.alloc(32, 7);
  const { values } = new HmacKey(key).hash(sql`email`).toQuery();
  expect(values).toHaveLength(2);
  for (const value of values) expect((value as Buffer).includes(key)).toBe(false);
});
