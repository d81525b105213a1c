import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const SPECS = ['**/*.spec.ts', 'test/**'];

/** Where statements may be written; everything else asks one of these. */
const SQL_HOMES = [
  '**/*.projection.ts',
  '**/*.queries.ts',
  '**/*.migration.ts',
  '**/migrations/**',
  'libs/event-store/**',
  'libs/database/**',
  'libs/batching/**',
  'libs/embedded-postgres/**',
  ...SPECS,
  // The version that each configuration write raises through TypeORM's manager.
  'src/workspace/workspace.writer.ts',
];

const STATEMENT = '/\\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\\b/';
const noSql = [`Literal[value=${STATEMENT}]`, `TemplateElement[value.raw=${STATEMENT}]`].map((selector) => ({
  selector,
  message: 'SQL belongs in *.projection.ts, *.queries.ts or *.migration.ts.',
}));

// A body or query is checked by the class that its parameter's type leaves behind at run time. A type-only import
// and an interface leave none: input would pass unchecked.
const WHOLE = 'Decorator[expression.callee.name=/^(Body|Query)$/][expression.arguments.length=0]';
const dtoClasses = [
  {
    selector: "ImportDeclaration[importKind='type'][source.value=/\\.dto\\.js$/]",
    message: 'Import DTO classes as values: `import type` switches validation off.',
  },
  {
    selector:
      "ImportDeclaration[source.value=/\\.dto\\.js$/] > ImportSpecifier[importKind='type'][imported.name=/(Body|Query|Response)$/]",
    message: 'Import DTO classes as values: `type` switches validation off.',
  },
  {
    selector: `Identifier:has(> ${WHOLE}):not([typeAnnotation.typeAnnotation.typeName.name=/(Body|Query)$/], [typeAnnotation.typeAnnotation.type='TSUnknownKeyword'])`,
    message: 'An unnamed @Body() or @Query() takes a …Body or …Query class or, checked by hand, `unknown`.',
  },
];

export default defineConfig(
  { ignores: ['**/dist/', 'coverage/', '.data/', 'node_modules/', '**/*.generated.d.ts'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: './test/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // An async function without await still turns what it throws into a rejection.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/common',
              importNames: ['forwardRef'],
              message: 'Break the cycle instead.',
            },
          ],
        },
      ],
    },
  },
  {
    files: SPECS,
    ignores: ['**/*.{js,mjs}'],
    rules: {
      // What comes over HTTP or out of SQL is `any` to a test, and its expectations check it.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.property.name=/^toBeLess/] > MemberExpression CallExpression[callee.object.name=/^(Date|performance)$/][callee.property.name='now']",
          message:
            'A slow machine would fail. Compare with `timesAsLong`, or let the time limit of the test end it.',
        },
        {
          selector:
            'CallExpression:matches([callee.name=/^(it|test|(before|after)(All|Each))$/], [callee.callee.property.name="each"]) > Literal.arguments[value<=180000]',
          message: 'A slow machine would fail. All tests have 180 seconds.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'libs/**/*.ts'],
    ignores: [
      'src/{main,api,worker,cli}.ts',
      'src/cli/**',
      'src/process/run-until-signal.ts',
      'src/demo/**',
      ...SPECS,
    ],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['src/**/*.ts', 'libs/**/*.ts'],
    // The client compares with clocks of others, and has no other one than its machine's.
    ignores: ['libs/kernel/{instant,deadline}.ts', 'libs/client/**', ...SPECS],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'Date',
          property: 'now',
          message:
            'A clock may be set. Take `performance.now()` for how long, `now()` for when, `Database.now` for what is due.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'libs/**/*.ts'],
    ignores: SQL_HOMES,
    rules: { 'no-restricted-syntax': ['error', ...noSql] },
  },
  {
    files: ['**/*.controller.ts'],
    rules: { 'no-restricted-syntax': ['error', ...dtoClasses, ...noSql] },
  },
  {
    files: ['src/console/web/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...noSql,
        {
          selector:
            "JSXOpeningElement[name.name=/^(input|textarea)$/]:has(> JSXAttribute[name.name='value']):has(> JSXAttribute[name.name='onChange'])",
          message:
            'What is typed would be lost when the field is drawn again: use `useFinished`, or `onInput`.',
        },
      ],
    },
  },
  {
    // Another process may remove or rename these files between a look and a read.
    files: ['libs/embedded-postgres/*.ts'],
    ignores: SPECS,
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:fs', importNames: ['readFileSync'], message: 'Use `readIfThere`.' }] },
      ],
    },
  },
  {
    // Of a text that a stranger has sent, such a pattern takes time by the square of its length, or more.
    files: ['src/**/*.{ts,tsx}', 'libs/**/*.ts'],
    ignores: SPECS,
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'console',
          'process',
          'module',
          'require',
          'Buffer',
          'URL',
          'fetch',
          'setTimeout',
          'clearTimeout',
          'performance',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
