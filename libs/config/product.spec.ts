import { readFileSync } from 'node:fs';
import { NAME, VERSION } from './product.js';

it('name and version are those of package.json', () => {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
  expect([NAME, VERSION]).toEqual([name, version]);
});
