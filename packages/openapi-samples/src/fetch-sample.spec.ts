import { fetchSample } from './fetch-sample.js';
import { type DescribedOperation, OperationReader } from './operation-reader.js';

const OPTIONS = { url: 'https://api.example', tokenVariable: 'TOKEN', file: { name: 'pets.csv', type: 'text/csv' } };
const DOCUMENT = {
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { examples: [7] } } },
    schemas: { Pet: { properties: { id: {}, name: {} } } },
  },
};
const JSON_RESPONSE = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } };

const reader = (method: string, path: string, operation: Partial<DescribedOperation>): OperationReader =>
  new OperationReader(DOCUMENT, method, path, { parameters: [], responses: {}, ...operation });

describe('OperationReader', () => {
  it('follows references to parameters and schemas', () => {
    const operation = reader('get', '/pets/{id}', {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      responses: { 200: JSON_RESPONSE, 404: {} },
    });
    expect(operation.parameters('path')).toEqual({ id: 7 });
    expect(operation.result).toEqual({ type: 'application/json', properties: ['id', 'name'] });
    expect(() =>
      reader('get', '/', { parameters: [{ $ref: '#/components/parameters/No' }] }).parameters('path'),
    ).toThrow('#/components/parameters/No does not exist in the document.');
  });
});

describe('fetchSample', () => {
  it('reads a record', () => {
    const operation = reader('get', '/pets/{id}', {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      responses: { 200: JSON_RESPONSE },
    });
    expect(fetchSample(operation, OPTIONS)).toBe(
      [
        `const response = await fetch('https://api.example/pets/7', {`,
        '  headers: { Authorization: `Bearer ${process.env.TOKEN}` },',
        '});',
        'console.log(response.status, await response.json());',
      ].join('\n'),
    );
  });

  it('sends a form with a file, without a token if none is needed', () => {
    const operation = reader('post', '/pets', {
      requestBody: {
        content: { 'multipart/form-data': { example: { file: 'name\nRex', tags: ['a'], owner: { id: 1 } } } },
      },
      security: [],
    });
    expect(fetchSample(operation, OPTIONS)).toBe(
      [
        'const form = new FormData();',
        `const file = new Blob(['name\\nRex'], { type: 'text/csv' });`,
        `form.set('file', file, 'pets.csv');`,
        `form.append('tags', 'a');`,
        `form.set('owner[id]', 1);`,
        `const response = await fetch('https://api.example/pets', {`,
        `  method: 'POST',`,
        '  body: form,',
        '});',
        'console.log(response.status, await response.text());',
      ].join('\n'),
    );
  });
});
