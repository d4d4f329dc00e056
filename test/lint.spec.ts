import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';

/** The configured rule on syntax of a file, which reads no types. */
async function syntaxErrors(file: string, code: string): Promise<string[]> {
  const { rules } = (await new ESLint().calculateConfigForFile(file)) as { rules: Linter.RulesRecord };
  const messages = new Linter().verify(
    code,
    [
      {
        files: ['**/*.ts'],
        languageOptions: { parser: tseslint.parser },
        rules: { 'no-restricted-syntax': rules['no-restricted-syntax'] as Linter.RuleEntry },
      },
    ],
    file,
  );
  return messages.map(({ message }) => message);
}

describe('lint', () => {
  const file = 'src/campaigns/campaigns.queries.ts';

  it.each([
    'sql`SELECT now()`',
    'sql`UPDATE tags SET updated_at = now() WHERE id = ${id}`',
    'sql`WHERE ${condition} AND due_at <= NOW() - ${delay}`',
    'sql`SELECT clock_timestamp()`',
    'sql`SELECT CURRENT_TIMESTAMP`',
    'sql`SELECT current_date`',
    'sql`SELECT localtimestamp`',
  ])('refuses the time of PostgreSQL in %s', async (code) => {
    expect(await syntaxErrors(file, code)).toEqual([expect.stringContaining('the time is ${scope.now}')]);
    expect(await syntaxErrors('src/webhooks/delivery/due-webhooks.cross-tenant.ts', code)).toHaveLength(1);
    expect(await syntaxErrors('src/platform/tenancy/scoped-repository.ts', code)).toHaveLength(1);
  });

  it.each(['Date.now()', 'new Date()', 'DateTime.now()', 'DateTime.utc()'])(
    'refuses the clock of the computer in %s',
    async (code) => {
      expect(await syntaxErrors(file, code)).toEqual([expect.stringContaining('scope.clock.now()')]);
    },
  );

  it.each([
    'sql`SELECT ${scope.now}, ${sql.realNow}, ${database.nowOf(sql`id`)}`',
    'sql`SELECT known, unknown FROM snow`',
    'scope.clock.now()',
    'wallClock.now()',
    'performance.now()',
    'new Date(milliseconds)',
    'DateTime.fromJSDate(date)',
  ])('accepts %s', async (code) => {
    expect(await syntaxErrors(file, code)).toEqual([]);
  });

  it('accepts real time where it gets its name', async () => {
    expect(await syntaxErrors('src/platform/clock/index.ts', 'new Date()')).toEqual([]);
  });

  it('refuses to open a scope where no workspace is chosen', async () => {
    const code = 'WorkspaceScope.open(1, database)';
    expect(await syntaxErrors(file, code)).toEqual([expect.stringContaining('open a scope')]);
    expect(await syntaxErrors('src/workspaces/token.guard.ts', code)).toEqual([]);
  });
});
