import { readFileSync } from 'node:fs';
import { NAME, VERSION } from './product.js';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

it('name and version are those of package.json', () => {
  const { name, version } = read('package.json');
  expect([NAME, VERSION]).toEqual([name, version]);
});

it('the lock file, the client, the API document and the newest entry of the changelog are of the same release', () => {
  expect(read('libs/client/package.json')['version']).toBe(VERSION);
  expect(read('package-lock.json')['version']).toBe(VERSION);
  expect(read('docs/openapi.json')['info']).toMatchObject({ 'x-release': VERSION });
  const releases = [
    ...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$/gm),
  ];
  expect(releases[0]?.[1]).toBe(VERSION);
});

it('the licence file says what package.json says', () =>
  expect(readFileSync('LICENSE', 'utf8')).toContain(`SPDX: ${read('package.json')['license'] as string}`));
