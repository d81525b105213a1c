import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface TestS3 {
  endpoint: string;
  /** What it holds, by path. */
  objects: Map<string, Buffer>;
  /** What it was asked, as method and path. */
  asked: string[];
  /** Set to answer everything with this status. */
  failWith?: number;
  close(): Promise<void>;
}

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=the-key-id\/\d{8}\/[\w-]+\/s3\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*x-amz-content-sha256[\w;-]*, Signature=[0-9a-f]{64}$/;

/** A stand-in for a store that speaks S3, which knows one bucket and takes signed requests alone. */
export async function startS3(bucket: string): Promise<TestS3> {
  const objects = new Map<string, Buffer>();
  const store: TestS3 = { endpoint: '', objects, asked: [], close };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => answer(request, response, body));
  });

  function answer({ method, url, headers }: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const path = decodeURIComponent(new URL(url!, 'http://s3').pathname);
    const hash = createHash('sha256').update(body).digest('hex');
    store.asked.push(`${method} ${path}`);
    if (store.failWith !== undefined) return fail(response, store.failWith, 'InternalError');
    if (!SIGNED.test(headers.authorization ?? '')) return fail(response, 403, 'AccessDenied');
    if (headers['x-amz-content-sha256'] !== hash) return fail(response, 400, 'XAmzContentSHA256Mismatch');
    if (!path.startsWith(`/${bucket}/`)) return fail(response, 404, 'NoSuchBucket');
    if (method === 'PUT') {
      objects.set(path, body);
      return void response.end();
    }
    const found = objects.get(path);
    if (!found) return fail(response, 404, 'NoSuchKey');
    response.writeHead(200, { 'content-length': found.length });
    response.end(method === 'HEAD' ? undefined : found);
  }

  function close(): Promise<void> {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  store.endpoint = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return store;
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
