import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { RULES } from './rules.js';

/** Also a status, or a word of other modules: they are looked for in `sending` alone. */
const COMMON_WORDS = new Set(['draft', 'paused', 'no_step']);

/** Where the name of a rule is also that of something else. */
const EXCEPTIONS: readonly { readonly path: RegExp; readonly names: readonly string[]; readonly why: string }[] = [
  { path: /^src\/email-accounts\//, names: ['daily_limit', 'min_seconds_between'], why: 'settings of an account' },
  { path: /^src\/sending\/metrics\//, names: ['min_seconds_between'], why: 'a setting that operators read of' },
  { path: /^src\/campaigns\//, names: ['min_days_since_last_message'], why: 'a setting of a campaign' },
  { path: /^src\/personal-data\//, names: ['min_days_since_last_message'], why: 'keeps the messages that it reads' },
  { path: /rules\/rule\.ts$/, names: ['min_days_since_last_message'], why: 'a column of campaigns' },
  { path: /rules\/rules\.ts$/, names: ['draft', 'paused'], why: 'the list has the rules by their names' },
  { path: /^src\/sending\/campaign-preflight\//, names: ['draft'], why: 'a status of campaigns' },
  { path: /^src\/(inbound|replies|sending\/feedback)\//, names: ['out_of_office'], why: 'what a reply is' },
];

/** What the folder of a rule exports for one place that begins or ends its wait, or shows it by a name of its own. */
const EXPORTED: Readonly<Record<string, string>> = {
  Absence: 'an entity',
  Absences: 'a reply begins and ends it',
  ACCOUNT_REFUSED: 'a refused account begins it',
  CHECKING_SENT_MAIL: 'a lost connection begins it, and the search of the sent mail ends it',
  dailyCapacity: 'the report before a start has fields for today and tomorrow',
  endLimits: 'a sent message ends it',
  isSending: 'the claim asks whether any limit may be returned',
  LIMIT_AFTER_DEFERRED: 'so many messages are tried before it begins',
  limitAccount: 'a refused session begins it',
  limitAccountOf: 'a refused message begins it',
  NewContactCount: 'an entity',
  NO_ACCOUNT: 'a campaign without accounts waits for one',
  noteDeferred: 'deferred messages begin it',
  PROVIDER_LIMIT: 'a refused message waits for it',
  TEMPORARY_FAILURE: 'recovery and an unreachable provider begin it, a retry ends it',
  temporaryFailure: 'a failed attempt begins it',
  waitForLimit: 'deferred messages wait for it',
};

const REASONS = RULES.map(({ reason }) => reason);
const NAMED = new RegExp(`(?<![\\w-])(${REASONS.join('|')})(?![\\w-])`, 'g');
const OWN_FOLDER = /^src\/sending\/rules\/[^/]+\//;

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !OWN_FOLDER.test(path));

/** The names of rules in the code of a file, without its comments. */
function namesIn(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  if (text.search(NAMED) < 0) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isIdentifier(node) || ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node);
    if (isText) found.push(...(node.text.match(NAMED) ?? []));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return [...new Set(found)].filter((name) => path.startsWith('src/sending/') || !COMMON_WORDS.has(name));
}

describe('the names of rules', () => {
  const named = sources.flatMap((path) => namesIn(path).map((name) => ({ path, name })));
  const allows = ({ path, names }: (typeof EXCEPTIONS)[number], each: (typeof named)[number]): boolean =>
    path.test(each.path) && names.includes(each.name);

  it('are in their folders only, except for what has the same name', () => {
    expect(named.filter((each) => !EXCEPTIONS.some((exception) => allows(exception, each)))).toEqual([]);
  });

  it.each(EXCEPTIONS)('are still needed in $path: $why', (exception) => {
    const used = named.filter((each) => allows(exception, each)).map(({ name }) => name);
    expect(new Set(used)).toEqual(new Set(exception.names));
  });

  it('are not in what the folder of a rule exports, except for what begins or ends its wait', () => {
    const { statements } = ts.createSourceFile(
      'index.ts',
      readFileSync('src/sending/rules/index.ts', 'utf8'),
      ts.ScriptTarget.Latest,
    );
    const exported = statements.flatMap((statement) =>
      ts.isExportDeclaration(statement) &&
      statement.moduleSpecifier &&
      ts.isStringLiteral(statement.moduleSpecifier) &&
      /^\.\/[^/]+\//.test(statement.moduleSpecifier.text) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
        ? statement.exportClause.elements.map(({ name }) => name.text)
        : [],
    );
    expect(new Set(exported)).toEqual(new Set(Object.keys(EXPORTED)));
  });
});
