// What the Helm chart in deploy/helm/outreach has from the code: its version, and the names of the settings.

/** Settings that the templates set. */
const OF_THE_CHART = ['PORT', 'HOST', 'METRICS_PORT', 'ROLE', 'DATA_DIR', 'SHUTDOWN_DELAY_SECONDS'];

/** Chart.yaml with the version of the package, which is the tag of its image. */
export const versionedChart = (chart, version) =>
  chart.replace(/^version: .*$/m, `version: ${version}`).replace(/^appVersion: .*$/m, `appVersion: '${version}'`);

/** values.schema.json with the settings that there are, so that Helm refuses a misspelled one. */
export function valuesSchema(text, settings) {
  const schema = JSON.parse(text);
  const names = Object.keys(settings).filter((name) => !OF_THE_CHART.includes(name));
  const isSecret = (name) => settings[name].isSecret;
  schema.properties.secretKeys.items.enum = names.filter(isSecret);
  schema.properties.settings.propertyNames.enum = names.filter((name) => !isSecret(name));
  return JSON.stringify(schema);
}
