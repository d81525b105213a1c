import type { OpenAPIObject } from '@nestjs/swagger';

/** Swagger UI sets styles on elements, shows icons of its own stylesheet, and offers answers as files to save. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

/** Swagger UI; `assets` is where its files are, seen from the page. */
export const docsPage = (assets: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API</title>
<link rel="icon" href="${assets}/favicon-32x32.png">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${assets}/swagger-ui-bundle.js"></script>
<script src="${assets}/swagger-ui-init.js"></script>
</body>
</html>
`;

/** Starts Swagger UI on the document that lies beside this script. */
export const DOCS_SCRIPT = `const beside = new URL('openapi.json', document.currentScript.src);
fetch(beside)
  .then((answer) => answer.json())
  .then((spec) => {
    window.ui = SwaggerUIBundle({
      spec,
      dom_id: '#swagger-ui',
      deepLinking: true,
      filter: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      persistAuthorization: true,
      displayRequestDuration: true,
    });
  });
`;

const LINKS = `The document itself: [openapi.json](../openapi.json), [openapi.yaml](../openapi.yaml).`;

/** What nobody types: Twilio makes it for each request, and Parley for each session. */
const MADE_BY_PROGRAMS = ['twilio-signature', 'console-session'];

/**
 * The document as the page shows it: with links to the whole one, and without what is in the way of trying requests out,
 * which are other servers (a browser may not call them from here), keys that programs make, and what webhooks bring.
 */
export function shownDocument(document: OpenAPIObject): OpenAPIObject {
  const shown = JSON.parse(JSON.stringify(document)) as OpenAPIObject & { webhooks?: object };
  delete shown.webhooks;
  for (const name of MADE_BY_PROGRAMS) delete shown.components?.securitySchemes?.[name];
  for (const methods of Object.values(shown.paths))
    for (const operation of Object.values(methods) as { security?: object[] }[])
      operation.security = operation.security?.filter((one) => !MADE_BY_PROGRAMS.some((name) => name in one));
  shown.servers = shown.servers?.slice(0, 1);
  shown.info.description = `${LINKS}\n\n${shown.info.description ?? ''}`;
  return shown;
}
