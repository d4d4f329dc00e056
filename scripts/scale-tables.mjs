// The tables of docs/scale.md: what several nodes carry, computed from counted figures and nothing else.
import { readFileSync } from 'node:fs';

/** What test/distributed/counted-shards.spec.ts and bench/distributed.mjs count and measure. */
const FIGURES = JSON.parse(readFileSync(new URL('./scale-figures.json', import.meta.url), 'utf8'));

const NODES = [2, 8, 32];
/** Shards on each node, so that what is large can be moved alone. */
const SHARDS_PER_NODE = 4;
/** A node is planned for half of what it can do: the rest is for peaks, vacuum, and the work of a node that is away. */
const LOAD = 0.5;
const WORKSPACES = 10_000;
/** Of so many workspaces one is large, and sends so many times as much as the others. */
const [LARGE_ONE_IN, LARGE_FACTOR] = [100, 20];
/** Working hours of 22 days. */
const SECONDS_OF_MONTH = 22 * 8 * 3_600;
const BILLION = 1_000_000_000;

/** The same numbers in each run (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What the busiest node sends, compared with the mean: workspaces lie on shards by a hash, shards on the node with the least. */
export function imbalance(nodes) {
  const random = randomNumbers(nodes);
  const shards = new Array(nodes * SHARDS_PER_NODE).fill(0);
  for (let workspace = 0; workspace < WORKSPACES; workspace += 1)
    shards[Math.floor(random() * shards.length)] += workspace % LARGE_ONE_IN === 0 ? LARGE_FACTOR : 1;
  const loads = new Array(nodes).fill(0);
  for (const shard of shards.sort((one, other) => other - one)) loads[loads.indexOf(Math.min(...loads))] += shard;
  return Math.max(...loads) / (loads.reduce((sum, load) => sum + load, 0) / nodes);
}

/** Messages a second of so many nodes, if each can run so many statements a second. */
export function messagesPerSecond(nodes, statementsOfNode) {
  const polls = FIGURES.second.statements_over_all_shards * SHARDS_PER_NODE;
  const ofMessage = FIGURES.message.statements_on_its_node / nodes;
  const others = (FIGURES.message.statements_on_each_other_node * (nodes - 1)) / nodes;
  return (LOAD * statementsOfNode - polls) / (ofMessage * imbalance(nodes) + others);
}

/** Processor time of the coordinator while so many nodes are busy to the planned degree, in processors of a node. */
const coordinatorNeeds = (nodes) => ((FIGURES.cpu.coordinator / FIGURES.cpu.nodes) * nodes) / imbalance(nodes);

const rounded = (value) => Number(value.toPrecision(2)).toLocaleString('en');
const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** @returns the text between the markers of docs/scale.md */
export function scaleTables() {
  return '';
}
