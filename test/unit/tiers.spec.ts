import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Tier {
  displayName: string;
  roots: string[];
  testRegex: string[];
  testPathIgnorePatterns?: string[];
}

const ROOT = join(import.meta.dirname, '../..');
const { TIERS }: { TIERS: Tier[] } = await import(join(ROOT, 'jest.config.js'));
/** What is no source; hidden folders are none either. */
const MADE = ['node_modules', 'dist', 'coverage'];

const specs = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !MADE.includes(entry.name))
  .flatMap(({ name }) =>
    readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
  )
  .filter((path) => /\.(spec|test)\.[cm]?[jt]sx?$/.test(path) && !path.includes('/node_modules/'));

/** The tiers that run a file, as Jest reads its configuration. */
const tiersOf = (path: string): string[] =>
  TIERS.filter(
    ({ roots, testRegex, testPathIgnorePatterns = [] }) =>
      roots.some((root) => path.startsWith(`${root.replace('<rootDir>/', '')}/`)) &&
      testRegex.some((pattern) => new RegExp(pattern).test(path)) &&
      !testPathIgnorePatterns.some((pattern) => new RegExp(pattern).test(path)),
  ).map(({ displayName }) => displayName);

describe('the tiers', () => {
  it('have each spec file of the repository in one of them; redis may repeat what e2e has', () => {
    expect(specs.length).toBeGreaterThan(200);
    const wrong = specs
      .map((path) => [path, tiersOf(path).join(' and ')])
      .filter(
        ([, tiers]) => !TIERS.some(({ displayName }) => displayName === tiers) && tiers !== 'e2e and redis',
      );
    expect(wrong).toEqual([]);
  });

  it('give a database to each test that makes one: unit tests have none', () => {
    const asking = specs
      .filter((path) => tiersOf(path).includes('unit'))
      .filter((path) =>
        /^import .*test\/support\/database\/postgres\.js'/m.test(readFileSync(join(ROOT, path), 'utf8')),
      );
    expect(asking).toEqual([]);
  });

  it('have a script each, and an own line in the README of the tests', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const readme = readFileSync(join(ROOT, 'test/README.md'), 'utf8');
    for (const { displayName } of TIERS) {
      expect(scripts[`test:${displayName}`]).toContain(`--selectProjects ${displayName}`);
      expect(readme).toContain(`| ${displayName} `);
    }
  });
});
