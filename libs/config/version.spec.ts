import { readFileSync } from 'node:fs';
import { VERSION } from './version.js';

it('the version is that of package.json', () =>
  expect(VERSION).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version));
