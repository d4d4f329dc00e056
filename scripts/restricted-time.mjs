/**
 * What lint refuses as a syntax: the time of the computer or of PostgreSQL, where that of the workspace may be meant.
 * Real time has a name: `sql.realNow`, `wallClock`, or `performance.now()` for durations.
 */
const inSql =
  'In SQL the time is ${scope.now}, or database.nowOf(…) for the rows of all workspaces; sql.realNow is for what does not belong to a workspace.';
const inCode =
  'The time of a workspace is scope.clock.now(). Durations use performance.now(); wallClock is for real time.';

const CURRENT_TIME =
  '(now|(clock|statement|transaction)_timestamp)\\(\\)|(current_(date|time(stamp)?)|localtime(stamp)?)\\b';

export const restrictedTime = [
  {
    selector: `TaggedTemplateExpression[tag.name='sql'] > TemplateLiteral > TemplateElement[value.raw=/\\b(${CURRENT_TIME})/i]`,
    message: inSql,
  },
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: inCode },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: inCode },
  {
    selector:
      "CallExpression[callee.object.name='DateTime'][callee.property.name=/^(now|local|utc)$/][arguments.length=0]",
    message: inCode,
  },
];
