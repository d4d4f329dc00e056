// Writes the digest that the base image has now into docker/Dockerfile, so that a release can be built again from the same
// base: `node scripts/pin-base-image.mjs [node:24-trixie-slim]`. Requires Docker with buildx, and its registry.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const DOCKERFILE = 'docker/Dockerfile';
const ARGUMENT = /^ARG NODE_IMAGE=([^@\s]+).*$/m;

const dockerfile = readFileSync(DOCKERFILE, 'utf8');
const image = process.argv[2] ?? ARGUMENT.exec(dockerfile)?.[1];
const inspect = ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest.Digest}}'];
// Of the list of all platforms, not of one.
const digest = JSON.parse(execFileSync('docker', inspect, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${image} has no digest: ${digest}`);
writeFileSync(DOCKERFILE, dockerfile.replace(ARGUMENT, `ARG NODE_IMAGE=${image}@${digest}`));
console.log(`${image}@${digest}`);
