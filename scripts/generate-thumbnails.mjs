// Draws a small picture of each shipped template that has a layout, light and dark, from its HTML with sample values.
// Requires Chromium: CHROMIUM_PATH, by default the path of Debian's package, and a font that replaces Helvetica (Debian:
// fonts-liberation). Pictures whose HTML has not changed stay as they are; with --all they are drawn anew.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { format, resolveConfig } from 'prettier';
import './build.mjs';

const GALLERY = 'src/marketplace/gallery';
const FOLDER = join(GALLERY, 'thumbnails');
const MANIFEST = join(GALLERY, 'thumbnail-manifest.ts');

/** The part of a message that a picture shows, in CSS pixels: a window of 640 pixels shows the whole width. */
const WINDOW = { width: 640, height: 800 };
/** In bytes. A picture that is larger is stored with the next quality. */
const MAX_LENGTH = 20_000;
const QUALITIES = [60, 50, 40, 30, 20];

const { readCatalogue } = await import('../dist/src/marketplace/publishing/read-catalogue.js');
const { isDocument, THUMBNAIL_SCHEMES, THUMBNAIL_SIZE } = await import('@outreach/gallery-pages');
const { previewDocument } = await import('../dist/src/marketplace/gallery/preview-document.js');
const { thumbnailFile, thumbnailSource } = await import('../dist/src/marketplace/gallery/thumbnails.js');
const { THUMBNAIL_SOURCES } = await import('../dist/src/marketplace/gallery/thumbnail-manifest.js');

await mkdir(FOLDER, { recursive: true });
const stored = new Set(await readdir(FOLDER));
const { templates } = await readCatalogue('src/marketplace/catalogue');
const designed = templates.filter(({ body }) => isDocument(body)).sort((a, b) => (a.slug < b.slug ? -1 : 1));
const outdated = designed.filter((template) => process.argv.includes('--all') || !isCurrent(template));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--font-render-hinting=none'],
});
for (const template of outdated) await draw(template);
await browser.close();

const files = new Set(designed.flatMap(({ slug }) => THUMBNAIL_SCHEMES.map((scheme) => thumbnailFile(slug, scheme))));
for (const file of stored) if (!files.has(file)) await rm(join(FOLDER, file));
await writeManifest();
console.log(`${outdated.length} of ${designed.length} templates were drawn.`);

function isCurrent(template) {
  const { body, document } = thumbnailSource(template);
  const drawn = THUMBNAIL_SOURCES[template.slug];
  const hasFiles = THUMBNAIL_SCHEMES.every((scheme) => stored.has(thumbnailFile(template.slug, scheme)));
  return hasFiles && drawn?.body === body && drawn.document === document;
}

async function draw(template) {
  for (const scheme of THUMBNAIL_SCHEMES) {
    const page = await browser.newPage({ colorScheme: scheme, viewport: WINDOW, javaScriptEnabled: false });
    await page.setContent(previewDocument(template), { waitUntil: 'load' });
    await writeFile(join(FOLDER, thumbnailFile(template.slug, scheme)), await picture(page));
    await page.close();
  }
}

async function picture(page) {
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, ...WINDOW, scale: THUMBNAIL_SIZE.width / WINDOW.width };
  for (const quality of QUALITIES) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, clip });
    const bytes = withoutProfile(Buffer.from(data, 'base64'));
    if (bytes.length <= MAX_LENGTH) return bytes;
  }
  throw new Error(`A picture is larger than ${MAX_LENGTH} bytes.`);
}

/** Returns a WebP image with the chunk of its picture alone (RFC 9649, 2): Chromium adds its colour profile and alpha. */
function withoutProfile(bytes) {
  let start = 12;
  while (bytes.toString('latin1', start, start + 4) !== 'VP8 ')
    start += 8 + 2 * Math.ceil(bytes.readUInt32LE(start + 4) / 2);
  const chunk = bytes.subarray(start, start + 8 + 2 * Math.ceil(bytes.readUInt32LE(start + 4) / 2));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(4 + chunk.length);
  return Buffer.concat([Buffer.from('RIFF'), length, Buffer.from('WEBP'), chunk]);
}

async function writeManifest() {
  const sources = Object.fromEntries(designed.map((template) => [template.slug, thumbnailSource(template)]));
  const text = `// Written by npm run generate:thumbnails.

/** What the thumbnail of each template was drawn from: the SHA-256 of its body, and of the document that shows it. */
export const THUMBNAIL_SOURCES = ${JSON.stringify(sources)};\n`;
  await writeFile(MANIFEST, await format(text, { ...(await resolveConfig(MANIFEST)), filepath: MANIFEST }));
}
