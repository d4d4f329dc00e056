// docs/errors.md: what is the same for all errors, and the reasons that the modules declare.
const INTRODUCTION = `
# Errors

Every response with an error, except a failed connection test, has a JSON body: \`error\` and \`message\`, and, except for a token that is missing, invalid or
lacks a permission, \`errors\` and \`code\`. Programs branch on the status, on \`error\` and on \`reason\`; \`message\` is for
people, and its wording may change. The API reference (\`/docs\`) describes the statuses.

The connection test of an email account that fails returns 422 with \`{ "data": { "success": false, "message": "…" } }\`. The tests
of a webhook and of a step return 200 with the same body.

An action that is not allowed (403), a conflict (409), a precondition that fails (412), a violated rule (422 without \`errors\`) and
a service that is not available at the moment (503) have a \`reason\`: a code that stays the same. A 422 with \`errors\` names the
invalid fields instead.

\`\`\`json
{
  "error": "HttpError",
  "message": "A contact with this email address already exists.",
  "errors": null,
  "code": 409,
  "reason": "email_taken"
}
\`\`\`

## Reasons

New versions may add reasons. A client treats one that it does not know like its status.
`.trim();

/** @returns the page about errors in Markdown. @param reasons those of all modules: `definedReasons` of http-errors */
export const errorsPage = (reasons) =>
  [
    INTRODUCTION,
    [
      '<!-- prettier-ignore -->',
      '| Reason | Status | Meaning |',
      '|---|---|---|',
      ...reasons.map(({ code, status, meaning }) => `| \`${code}\` | ${status} | ${meaning} |`),
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
