import type { Setting, Settings } from './settings.js';

const shownDefault = (setting: Setting<unknown>): string =>
  setting.shown ?? (Array.isArray(setting.fallback) ? setting.fallback.join(',') : String(setting.fallback));

/** The text of `.env.example`: every setting, commented out at its default. */
export function envExample(settings: Settings): string {
  const blocks = Object.entries(settings).map(
    ([name, setting]) => `# ${setting.meaning.replaceAll('`', '')}\n# ${name}=${shownDefault(setting)}\n`,
  );
  return `# Settings of the outreach service. Uncomment what differs from the default.\n\n${blocks.join('\n')}`;
}

/** The same settings as a Markdown table. */
export function settingsTable(settings: Settings): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const value = shownDefault(setting);
    return `| \`${name}\` | ${value ? `\`${value}\`` : 'none'} | ${setting.meaning} |`;
  });
  return ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
