import type { ClassifiedRefusal, ServerWords } from './refusal.js';

/** Returns what a refusal means (decisions, part 7: a dead address, and nothing else, is a hard bounce). */
export function classifyRefusal({ text, code, enhanced, status }: ServerWords): ClassifiedRefusal {
  const reply = enhanced ?? status;
  return {
    cause: reply === '5.1.1' ? 'dead_address' : 'unknown',
    is_permanent: (reply ?? String(code ?? 5)).startsWith('5'),
    code: reply ?? null,
    reason: text.slice(0, 500),
  };
}
