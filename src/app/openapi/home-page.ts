export const HOME_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What the service has to show, and for whom. */
const LINKS: [path: string, name: string, what: string][] = [
  ['console', 'Console', 'the inbox and all else to work with, for people: sign in with a key'],
  ['docs', 'Swagger UI', 'reads and tries out the API: paste a key under Authorize'],
  ['openapi.json', 'openapi.json', 'the API as an OpenAPI 3.1 document, for programs'],
  ['openapi.yaml', 'openapi.yaml', 'the same as YAML'],
  ['admin/queues', 'Queues', 'jobs under way; asks for the operator key as its password'],
  ['health/ready', 'Ready', 'whether this process can do its work'],
  ['health/live', 'Live', 'whether this process runs'],
  ['metrics', 'Metrics', 'figures for Prometheus'],
];

/** Plain HTML for whoever opens the service in a browser. */
export const HOME_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
code { font-family: ui-monospace, monospace; }
li { margin: .3rem 0; }
@media (prefers-color-scheme: dark) { body { background: #16181d; color: #e6e6e6; } a { color: #8ab4f8; } }
</style>
</head>
<body>
<h1>Parley</h1>
<p>A sales and conversation workspace behind a REST API. The API is below <code>/api/v2</code>; send your key in the
header <code>X-API-KEY</code>.</p>
<ul>
${LINKS.map(([path, name, what]) => `<li><a href="${path}">${name}</a>: ${what}</li>`).join('\n')}
</ul>
<p>The guide is in the project's own folder: start with <code>README.md</code>, then <code>docs/walk.md</code>.</p>
</body>
</html>
`;
