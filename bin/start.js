'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const program = join(__dirname, '../dist/bundle/cli.js');

if (existsSync(program)) {
  import(pathToFileURL(program).href);
} else {
  console.error('The service is not built: run "npm run build" first.');
  process.exitCode = 1;
}
