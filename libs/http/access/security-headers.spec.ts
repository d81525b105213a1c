import Fastify from 'fastify';
import helmet from '@fastify/helmet';
import { SECURITY_HEADERS } from './security-headers.js';

it('sets what helmet sets', async () => {
  const server = Fastify();
  await server.register(helmet, { contentSecurityPolicy: false });
  server.get('/', () => '');
  try {
    const { headers } = await fetch(await server.listen({ host: '127.0.0.1', port: 0 }));
    const ofEveryAnswer = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive']);
    const ofHelmet = [...headers].filter(([name]) => !ofEveryAnswer.has(name));
    expect(Object.fromEntries(ofHelmet)).toEqual(SECURITY_HEADERS);
  } finally {
    await server.close();
  }
});
