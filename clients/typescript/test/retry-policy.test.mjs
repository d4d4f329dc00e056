import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseMs, retryAfterMs } from '../dist/retry-policy.js';

const NOW = Date.parse('2026-03-02T09:00:00Z');

test('Retry-After is a number of seconds or a date, and anything else is ignored', () => {
  const values = [
    '0',
    '7',
    ' 7 ',
    'Mon, 02 Mar 2026 09:00:30 GMT',
    'Mon, 02 Mar 2026 08:59:30 GMT',
    '-1',
    'soon',
    '',
    null,
  ];
  assert.deepEqual(
    values.map((value) => retryAfterMs(value, NOW)),
    [0, 7_000, 7_000, 30_000, 0, undefined, undefined, undefined, undefined],
  );
});

test('the pause doubles up to 20 seconds and is shorter by half at most', () => {
  const pauses = (random) => [1, 2, 3, 6, 7, 50].map((attempt) => pauseMs(attempt, null, NOW, random));
  assert.deepEqual(pauses(0), [250, 500, 1_000, 8_000, 10_000, 10_000]);
  assert.deepEqual(pauses(1), [500, 1_000, 2_000, 16_000, 20_000, 20_000]);
});

test('the pause is never shorter than Retry-After', () => {
  assert.deepEqual(
    [0, 1].map((random) => pauseMs(1, '1', NOW, random)),
    [1_000, 1_250],
  );
  assert.deepEqual(
    [0, 1].map((random) => pauseMs(1, '60', NOW, random)),
    [60_000, 60_500],
  );
});
