const { readFileSync, readdirSync } = require('node:fs');

const SPEC = '\\.spec\\.ts$';
/** The pages of the console, which are whole when they are built, with the packages that they use. */
const BUNDLED = '^src/console/web/';
const BARREL = ['^(src|libs)/index\\.ts$', '^(src|libs)/.+/index\\.ts$'];
/** What puts the contexts together (app), runs them (process) and serves operators (cli). Every other folder is a context. */
const HOSTS = '(app|process|cli)/';
const CONTEXT = `^src/((?!${HOSTS})[^/]+)/`;

/** Every file that defines a decider is an aggregate. */
const aggregates = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => /:\s*Decider</.test(readFileSync(path, 'utf8')))
  .map((path) => path.slice('src/'.length).replace(/\.ts$/, ''));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'pages-stand-apart',
      comment: 'The pages of the console run in browsers, and know the product by its API alone.',
      severity: 'error',
      from: { path: BUNDLED },
      to: { path: '^(src|libs)/', pathNot: [BUNDLED, '^libs/client/'] },
    },
    {
      name: 'nothing-uses-the-pages',
      severity: 'error',
      from: { path: '^(src|libs)/', pathNot: BUNDLED },
      to: { path: BUNDLED },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or a third is missing.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'libs-know-no-product',
      comment: 'libs serve any product; what they need of this one is handed to them.',
      severity: 'error',
      from: { path: '^libs/', pathNot: SPEC },
      to: { path: '^src/' },
    },
    {
      name: 'contexts-meet-at-contracts',
      comment:
        'A context imports of another only its contract; a module may import a module. All may read the configuration.',
      severity: 'error',
      from: { path: CONTEXT, pathNot: '\\.module\\.ts$' },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', '^src/config/', '^src/[^/]+/[^/]+\\.contract\\.ts$'] },
    },
    {
      name: 'modules-meet-modules',
      comment: 'A module imports of another context only its module or contract.',
      severity: 'error',
      from: { path: `${CONTEXT}.+\\.module\\.ts$` },
      to: {
        path: '^src/[^/]+/',
        pathNot: ['^src/$1/', '^src/config/', '^src/[^/]+/[^/]+\\.(contract|module)\\.ts$'],
      },
    },
    {
      name: 'contexts-do-not-know-their-hosts',
      comment: 'What puts the contexts together uses them; they do not reach back.',
      severity: 'error',
      from: { path: CONTEXT },
      to: { path: ['^src/[^/]+$', `^src/${HOSTS}`] },
    },
    {
      name: 'the-app-is-run-from-outside',
      comment:
        'src/app is what runs; how it is started and ended is of src/process, its commands are of src/cli.',
      severity: 'error',
      from: { path: '^src/app/' },
      to: { path: ['^src/[^/]+$', '^src/(process|cli)/'] },
    },
    {
      name: 'processes-know-no-commands',
      severity: 'error',
      from: { path: '^src/process/' },
      to: { path: ['^src/[^/]+$', '^src/cli/'] },
    },
    {
      name: 'aggregates-are-pure',
      comment:
        'An aggregate, with all that it leads to, is libs/kernel and files of its context that are as pure.',
      severity: 'error',
      from: { path: `^src/(?:${aggregates.join('|') || '$'})\\.ts$` },
      to: {
        reachable: true,
        path: '.',
        pathNot: [
          '^libs/kernel/',
          // What a mail is.
          '^libs/mail/mail\\.ts$',
          '^src/[^/]+/[^/.]+\\.ts$',
          '^src/[^/]+/[^/]+/[^/.]+\\.ts$',
          '(^|/)node_modules/typeid-js/',
        ],
      },
    },
    {
      name: 'mails-are-read-apart',
      comment:
        'From its bytes to what it says a mail is read by this folder alone, for the most part in a thread of its own.',
      severity: 'error',
      from: { path: '^libs/mail/', pathNot: SPEC },
      to: { path: '^(src|libs)/', pathNot: '^libs/(mail|kernel)/' },
    },
    {
      name: 'inbound-is-at-the-edge',
      comment: 'What comes in goes from `inbound/` to the command that records it, and never back.',
      severity: 'error',
      from: {
        path: '^src/conversations/',
        pathNot: [SPEC, '\\.(contract|module)\\.ts$', '^src/conversations/inbound/'],
      },
      to: { path: '^src/conversations/inbound/' },
    },
    {
      name: 'delivery-is-entered-by-its-queue',
      comment: 'Commands put drafts on the queue; how these leave is nobody else’s business.',
      severity: 'error',
      from: {
        path: '^src/drafts/[^/]+\\.ts$',
        pathNot: [SPEC, '^src/drafts/drafts\\.(module|contract)\\.ts$'],
      },
      to: { path: '^src/drafts/delivery/', pathNot: '/delivery\\.queue\\.ts$' },
    },
    {
      name: 'kernel-stands-alone',
      comment: 'libs/kernel is what everything rests on.',
      severity: 'error',
      from: { path: '^libs/kernel/', pathNot: SPEC },
      to: { pathNot: ['^libs/kernel/', '(^|/)node_modules/typeid-js/'] },
    },
    {
      name: 'the-client-stands-alone',
      comment: 'It runs elsewhere: all that it has of this project is the API document.',
      severity: 'error',
      from: { path: '^libs/client/', pathNot: SPEC },
      to: { pathNot: ['^libs/client/', '(^|/)node_modules/(openapi-fetch|eventsource-parser)/'] },
    },
    {
      name: 'nothing-here-calls-the-api',
      comment: 'The client is for other programs, and for the pages of the console.',
      severity: 'error',
      from: { path: '^(src|libs)/', pathNot: [SPEC, '^libs/client/', BUNDLED] },
      to: { path: '^libs/client/' },
    },
    {
      name: 'no-barrels',
      comment: 'Import the file that has it.',
      severity: 'error',
      from: {},
      to: { path: BARREL },
    },
    {
      name: 'no-barrels-unused',
      severity: 'error',
      from: { path: BARREL },
      to: {},
    },
    {
      name: 'tests-stay-outside',
      comment: 'The product does not import specs or test support.',
      severity: 'error',
      from: { path: '^(src|libs)/', pathNot: SPEC },
      to: { path: ['^test/', SPEC] },
    },
    {
      name: 'no-orphans',
      comment: 'Nothing imports this file, and it imports nothing.',
      severity: 'error',
      from: { orphan: true },
      to: {},
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '/dist/' },
    },
    {
      name: 'no-development-packages',
      comment:
        'What runs in production is under dependencies; the build and the specs alone may use the rest.',
      severity: 'error',
      // The client is built with what it needs in it, as the pages are.
      from: { path: '^(src|libs)/', pathNot: [SPEC, '^libs/(build|client)/', BUNDLED] },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: '(^|/)node_modules/@types/',
      },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^libs/client/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['development', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};
