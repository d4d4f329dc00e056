import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withTemporaryFolder } from '@outreach/temporary-files';

describe('a temporary folder', () => {
  const before = process.env.TMPDIR;
  let parent: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'temporary-folder-'));
    process.env.TMPDIR = parent;
  });
  afterEach(async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await rm(parent, { recursive: true, force: true });
  });

  const failure = (work: (folder: string) => Promise<unknown>) =>
    withTemporaryFolder('test', work).then(
      () => undefined,
      (error: unknown) => error,
    );
  const errorOf = (code: string, path?: string) => Object.assign(new Error(code), { code, path });

  it('is deleted after the work, whose result it returns', async () => {
    const folder = await withTemporaryFolder('test', async (path) => {
      await writeFile(join(path, 'file'), 'content');
      return path;
    });
    expect(dirname(folder)).toBe(parent);
    await expect(access(folder)).rejects.toThrow('ENOENT');
  });

  it('cannot be used, by the name of its parent, if that is gone before or during the work', async () => {
    const message = `The folder for temporary files ${parent} cannot be used: ENOENT.`;
    const removed = failure(async (folder) => {
      await rm(parent, { recursive: true });
      await writeFile(join(folder, 'file'), 'content');
    });
    expect(await removed).toMatchObject({ name: 'TemporaryFolderUnusable', code: 'ENOENT', message });
    expect(await failure(() => Promise.resolve())).toMatchObject({ name: 'TemporaryFolderUnusable', message });
  });

  it('cannot be used if the disk is full', async () => {
    expect(await failure(() => Promise.reject(errorOf('ENOSPC')))).toMatchObject({
      name: 'TemporaryFolderUnusable',
      code: 'ENOSPC',
    });
  });

  it.each([
    ['of another file', errorOf('ENOENT', '/somewhere/else')],
    ['of a connection', errorOf('ECONNRESET')],
    ['without a code', new Error('something else')],
  ])('says nothing of an error %s', async (_what, error) => {
    expect(await failure(() => Promise.reject(error))).toBe(error);
  });
});
