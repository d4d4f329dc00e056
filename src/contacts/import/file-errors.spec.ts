import { NotCsv } from '@outreach/csv-files';
import { withFileError } from './file-errors.js';

it('withFileError reports a file that is no CSV on the field `file`', async () => {
  const reading = withFileError(() => Promise.reject(new NotCsv('The file is empty.')));
  await expect(reading).rejects.toMatchObject({ status: 422, errors: { file: ['The file is empty.'] } });
});
