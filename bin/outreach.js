#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../dist/bundle/cli.js', import.meta.url);

if (existsSync(program)) {
  await import(program.href);
} else {
  console.error('The service is not built: run "npm run build" first.');
  process.exitCode = 1;
}
