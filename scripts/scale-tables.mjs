// The tables of docs/scale.md: what several nodes carry, computed from scale-figures.json and the constants below.
import { readFileSync } from 'node:fs';

/** Estimates of what a message costs on several nodes: numbers of statements, and processor times as ratios to one PostgreSQL. */
const figures = JSON.parse(readFileSync(new URL('./scale-figures.json', import.meta.url), 'utf8'));

const NODES = [2, 8, 32];
const SHARDS_PER_NODE = 4;
const WORKSPACES = 10_000;
/** Of so many workspaces one is large, and sends so many times as much as one of the others. */
const [LARGE_ONE_IN, LARGE_FACTOR] = [100, 20];
/** How many nodes were counted and measured. */
const COUNTED_NODES = 2;

/** A month with a billion messages: in working hours, and twice as many in the busiest one as in the mean. */
const MESSAGES = 1_000_000_000;
const SECONDS = 22 * 8 * 3_600;
const PEAK = 2;
/** Of processors: the rest is for peaks, vacuum, and the work of what fails. */
const LOAD = 0.5;
/** Processor time in milliseconds and bytes for a message: `Size an installation` in docs/deployment.md. */
const OF_MESSAGE = { service: 1.6, postgres: 0.9, bytes: 900, wal: 4_100 };
/** Two deliveries of webhooks and one request for each message. */
const BESIDE = { worker: 2 * 0.3, api: 1.4, postgres: 2 * 0.2 + 1.1, bytes: 2 * 2 * 700 };
/** Assumed: what a machine has, and what it and a processor for a process cost in a month. */
const [PROCESSORS_OF_MACHINE, DISK_TB] = [16, 8];
const PRICE = { machine: 600, process: 15 };

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

/**
 * What the busiest node has to do, compared with the mean. A hash places workspaces in shards; the largest shard goes first, to
 * the node that has least, as after a rebalance.
 */
function imbalance(nodes) {
  const random = randomNumbers(nodes);
  const shards = new Array(nodes * SHARDS_PER_NODE).fill(0);
  for (let workspace = 0; workspace < WORKSPACES; workspace += 1)
    shards[Math.floor(random() * shards.length)] += workspace % LARGE_ONE_IN === 0 ? LARGE_FACTOR : 1;
  const loads = new Array(nodes).fill(0);
  for (const shard of shards.sort((one, other) => other - one)) loads[loads.indexOf(Math.min(...loads))] += shard;
  return (Math.max(...loads) * nodes) / loads.reduce((sum, load) => sum + load, 0);
}

/** The statements of a message on all nodes together. */
const statementsOn = (nodes) => figures.message.on_its_node + figures.message.on_each_other_node * (nodes - 1);
const growth = (nodes) => statementsOn(nodes) / statementsOn(COUNTED_NODES);

/** How many messages the nodes carry, compared with one PostgreSQL on the same machine. */
const carried = (nodes) => nodes / (figures.processor_time.nodes * growth(nodes) * imbalance(nodes));
/** How many machines like a node the coordinator needs for that. */
const coordinators = (nodes) => carried(nodes) * figures.processor_time.coordinator * growth(nodes);
/** The same, if each node also does for its part what the coordinator does. */
const carriedWithoutCoordinator = (nodes) => {
  const time = figures.processor_time.coordinator + figures.processor_time.nodes;
  return nodes / (time * growth(nodes) * imbalance(nodes));
};

const rounded = (value) => Number(value.toPrecision(2)).toLocaleString('en');
const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const ofNodes = () =>
  table(
    [
      'Nodes',
      'Shards',
      'Busiest node, compared with the mean',
      'Messages, compared with one PostgreSQL',
      'Machines like a node that the coordinator needs for that',
      'Messages, with a coordinator like a node',
      'Messages, if any node takes statements',
      'Statements of a message on all nodes',
      'Statements of the polls on all nodes, a second',
    ],
    NODES.map((nodes) => [
      nodes,
      nodes * SHARDS_PER_NODE,
      rounded(imbalance(nodes)),
      rounded(carried(nodes)),
      rounded(coordinators(nodes)),
      rounded(carried(nodes) / Math.max(1, coordinators(nodes))),
      rounded(carriedWithoutCoordinator(nodes)),
      rounded(statementsOn(nodes)),
      rounded(figures.polls_of_each_shard_a_second * nodes * SHARDS_PER_NODE),
    ]),
  );

const counted = () => {
  const { message, polls_of_each_shard_a_second: polls, processor_time: time } = figures;
  return table(
    ['Of a message', ''],
    [
      ['statements of the service to the coordinator', message.statements],
      ['what they become on the node of the workspace', message.on_its_node],
      ['and on each other node', message.on_each_other_node],
      ['processor time of the coordinator, compared with one PostgreSQL', time.coordinator],
      ['processor time of the nodes together, compared with one PostgreSQL', time.nodes],
      ['and each second, of polls, on each shard', polls],
    ],
  );
};

const billion = () => {
  const second = (MESSAGES / SECONDS) * PEAK;
  const processors = (milliseconds) => Math.ceil((second * milliseconds) / 1_000 / LOAD);
  const terabytes = (bytes) => (MESSAGES * bytes) / 1e12;
  const time = figures.processor_time;
  const database = OF_MESSAGE.postgres + BESIDE.postgres;
  const stored = (months) => terabytes(OF_MESSAGE.bytes) * months + terabytes(BESIDE.bytes);
  const ofProcessors = (milliseconds) => Math.ceil(processors(milliseconds) / PROCESSORS_OF_MACHINE);
  const ofDisks = (months) => Math.ceil(stored(months) / (DISK_TB * LOAD));
  const processes = processors(OF_MESSAGE.service + BESIDE.worker) + processors(BESIDE.api);
  const nodes = Math.max(COUNTED_NODES, ofProcessors(database * time.nodes), ofDisks(12));
  const coordinator = ofProcessors(database * time.coordinator * growth(nodes));
  const price = (machines) => `${rounded(2 * machines * PRICE.machine + processes * PRICE.process)} €`;
  return table(
    ['A billion messages a month', 'One PostgreSQL', 'Several nodes'],
    [
      ['stored for', 'a month', 'a year'],
      ['messages a second in the busiest hour', rounded(second), rounded(second)],
      ['statements on nodes a month', '', `${rounded((MESSAGES * statementsOn(nodes)) / 1e9)} billion`],
      ['workers with one processor each', processors(OF_MESSAGE.service + BESIDE.worker), 'the same'],
      ['API processes with one processor each', processors(BESIDE.api), 'the same'],
      ['Redis', '1, and its replica', 'the same'],
      ['WAL of messages, a month', `${rounded(terabytes(OF_MESSAGE.wal))} TB`, 'the same'],
      ['stored, with the logs of webhooks', `${rounded(stored(1))} TB`, `${rounded(stored(12))} TB`],
      ['machines that this needs by their processors', ofProcessors(database), ofProcessors(database * time.nodes)],
      ['machines that this needs by their disks', ofDisks(1), ofDisks(12)],
      ['machines of the coordinator', '', coordinator],
      ['price, with a standby of each machine', price(ofDisks(1)), price(nodes + coordinator)],
    ],
  );
};

const TABLES = { counted, nodes: ofNodes, billion };

/** Replaces the tables between the markers of a document. */
export const withScaleTables = (document) =>
  Object.entries(TABLES).reduce(
    (text, [name, make]) =>
      text.replace(new RegExp(`(?<=<!-- scale ${name} -->\n)[^]*?(?=<!-- /scale -->)`), () => `\n${make()}\n\n`),
    document,
  );
