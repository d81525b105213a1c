import { preferredType } from './accepted.js';

const prefers = (accept?: string) => preferredType(accept, ['application/json', 'text/csv']);

describe('what an Accept header prefers', () => {
  it.each([
    ['text/csv'],
    ['TEXT/CSV'],
    ['text/csv; charset=utf-8'],
    ['text/*'],
    ['text/csv, */*'],
    ['text/csv, */*;q=0.1'],
    ['application/json;q=0.5, text/csv;q=0.6'],
    ['application/json;q=0, */*'],
    ['text/csv ; q=0.001'],
  ])('is CSV for %s', (accept) => expect(prefers(accept)).toBe('text/csv'));

  it.each([
    [undefined],
    [''],
    ['*/*'],
    ['application/json'],
    ['text/csv, application/json'],
    ['text/csv;q=0.9, application/json'],
    ['text/csv;q=0, */*'],
    ['text/csv;q=0'],
    ['text/html, application/xhtml+xml, */*;q=0.8'],
    ['image/png'],
    ['csv'],
    [';q=1,,/'],
  ])('is the first for %s', (accept) => expect(prefers(accept)).toBe('application/json'));
});
