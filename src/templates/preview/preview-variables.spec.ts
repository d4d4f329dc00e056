import { parseTemplate } from '@outreach/template-language';
import { valueReader } from '../template-values.js';
import { variableErrors, previewValues } from './preview-variables.js';

const names = (count: number): [string, number][] => Array.from({ length: count }, (_, index) => [`v${index}`, index]);

describe('variableErrors', () => {
  it.each([
    [{}],
    [{ a: 'x', b: '', c: 0, d: -1.5, e: true, f: false, g: null, 'sender.name': 'Eve', 'two words': 'x' }],
    [{ sender: { name: 'Eve', email: null } }],
    [{ sender: null }],
    [{ a: 'é'.repeat(5_000), b: '😀'.repeat(5_000) }],
    [Object.fromEntries(names(500))],
  ])('accepts %j', (variables) => {
    expect(variableErrors(variables)).toEqual({});
  });

  it.each([
    [{ a: [] }, 'variables.a'],
    [{ a: ['x'] }, 'variables.a'],
    [{ a: {} }, 'variables.a'],
    [{ a: { name: 'x' } }, 'variables.a'],
    [{ custom_fields: { city: 'x' } }, 'variables.custom_fields'],
    [{ a: 'x'.repeat(5_001) }, 'variables.a'],
    [{ a: '😀'.repeat(5_001) }, 'variables.a'],
    [{ 'sender.name': ['x'] }, 'variables.sender.name'],
    [{ sender: ['x'] }, 'variables.sender'],
    [{ sender: { name: ['x'] } }, 'variables.sender.name'],
    [{ sender: { name: 'Eve', sender: {} } }, 'variables.sender.sender'],
    [Object.fromEntries(names(501)), 'variables'],
    [{ ...Object.fromEntries(names(499)), sender: { name: 'a', email: 'b' } }, 'variables'],
  ])('rejects %j', (variables, field) => {
    expect(Object.keys(variableErrors(variables))).toEqual([field]);
  });

  it('names every invalid variable', () => {
    expect(Object.keys(variableErrors({ a: [], b: 'x', c: {} }))).toEqual(['variables.a', 'variables.c']);
  });
});

describe('previewValues', () => {
  it('takes variables before defaults, and both before the sender and links that every message has', () => {
    const template = parseTemplate('{{ a }} {{ b }} {{ sender.name }} {{ sender.email }} {{ unsubscribe_url }}');
    const render = (variables: object, defaults?: object): string =>
      template.renderSubject(valueReader(previewValues({ ...variables }, defaults && { ...defaults })));
    const message = 'Alex Bernard alex.bernard@example.com https://example.com/unsubscribe';
    expect(render({}, { a: '1', b: '2' })).toBe(`1 2 ${message}`);
    expect(render({ a: 'x', b: null }, { a: '1', b: '2' })).toBe(`x  ${message}`);
    expect(render({ a: 0, b: false })).toBe(`0 false ${message}`);
    const own = { sender: { name: 'Eve' }, unsubscribe_url: 'u' };
    expect(render(own)).toBe('  Eve alex.bernard@example.com u');
    expect(render({ 'sender.name': 'Eve', sender: 'Bob' })).toBe(
      '  Eve alex.bernard@example.com https://example.com/unsubscribe',
    );
  });
});
