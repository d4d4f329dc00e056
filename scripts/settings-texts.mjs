// The settings in .env.example and in the table of the documents.

/** The variable of the file with a secret, as packages/settings/src/secret-files.ts reads it. */
const fileVariable = (name) => `${name}_FILE`;

const shownDefault = (setting) =>
  setting.shown ?? (Array.isArray(setting.fallback) ? setting.fallback.join(',') : String(setting.fallback));

/** Whether a shown default names other settings, so that it is no value. */
const isDerived = (value) => /[`{]/.test(value);

/** The text of `.env.example`: every setting, commented out at its default, and the variables of files with secrets. */
export function envExample(settings) {
  const blocks = Object.entries(settings).map(([name, setting]) => {
    const value = shownDefault(setting);
    const [text, example] = isDerived(value) ? [`${setting.meaning} Default: ${value}.`, ''] : [setting.meaning, value];
    const file = setting.isSecret ? `# ${fileVariable(name)}=\n` : '';
    return `# ${text.replaceAll('`', '')}\n# ${name}=${example}\n${file}`;
  });
  return `# Settings of the outreach service. Uncomment what differs from the default.\n\n${blocks.join('\n')}`;
}

/** The same settings as a Markdown table. */
export function settingsTable(settings) {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const value = shownDefault(setting);
    const shown = value === '' ? 'none' : value.includes('`') ? value : `\`${value}\``;
    const names = setting.isSecret ? [name, fileVariable(name)] : [name];
    return `| ${names.map((each) => `\`${each}\``).join(', ')} | ${shown} | ${setting.meaning} |`;
  });
  return ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
