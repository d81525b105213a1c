import { type ApiDocument, breakingChanges } from './breaking-changes.js';

type Json = ReturnType<typeof JSON.parse>;

/** A small document: one operation that takes and answers a contact. */
const document = (): Json => ({
  paths: {
    '/contacts': {
      post: {
        parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } },
        responses: {
          201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Contact' } } } },
          400: { description: 'Wrong.' },
          404: { $ref: '#/components/responses/NotFound' },
        },
        security: [{ 'api-key': [] }],
      },
    },
  },
  components: {
    responses: {
      NotFound: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } },
    },
    schemas: {
      Problem: { type: 'object', properties: { code: { type: 'string' } } },
      Body: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 100 },
          age: { type: ['integer', 'null'] },
          kind: { type: 'string', enum: ['person', 'robot'] },
        },
      },
      Contact: {
        type: 'object',
        required: ['name', 'friends'],
        properties: {
          name: { type: 'string' },
          friends: { type: 'array', items: { $ref: '#/components/schemas/Contact' } },
          kind: { type: 'string', enum: ['person', 'robot'] },
          born_at: { type: 'string', format: 'date-time' },
          party: { oneOf: [{ $ref: '#/components/schemas/Contact' }, { type: 'null' }] },
        },
      },
    },
  },
});

/** What breaks when the small document is changed like this. */
function changed(
  change: (parts: { post: Json; body: Json; contact: Json; paths: Json; shared: Json }) => void,
): string[] {
  const after = document();
  const { Body: body, Contact: contact } = after.components.schemas;
  const shared = after.components.responses;
  change({ paths: after.paths, post: after.paths['/contacts'].post, body, contact, shared });
  return breakingChanges(document() as ApiDocument, after as ApiDocument);
}

describe('what only adds breaks nothing', () => {
  it.each<[string, Parameters<typeof changed>[0]]>([
    ['nothing', () => {}],
    ['a new path', ({ paths, post }) => (paths['/others'] = { post })],
    ['a new optional parameter', ({ post }) => post.parameters.push({ name: 'new', in: 'query' })],
    ['a new optional field', ({ body }) => (body.properties.nick = { type: 'string' })],
    ['a new attribute', ({ contact }) => (contact.properties.nick = { type: 'string' })],
    ['a field that is required no more', ({ body }) => (body.required = [])],
    ['an attribute that is always there now', ({ contact }) => contact.required.push('kind')],
    ['a field that may be null now', ({ body }) => (body.properties.name.type = ['string', 'null'])],
    [
      'a number where an integer was asked for',
      ({ body }) => (body.properties.age.type = ['number', 'null']),
    ],
    ['a longer text', ({ body }) => (body.properties.name.maxLength = 200)],
    ['a new word that is taken', ({ body }) => body.properties.kind.enum.push('cat')],
    ['a new refusal', ({ post }) => (post.responses[410] = {})],
    ['a refusal that is gone', ({ post }) => delete post.responses[400]],
    ['a shared refusal in full', ({ post, shared }) => (post.responses[404] = shared.NotFound)],
    [
      'a shared refusal under another name',
      ({ post, shared }) => {
        shared.Missing = shared.NotFound;
        post.responses[404] = { $ref: '#/components/responses/Missing' };
      },
    ],
  ])('%s', (_, change) => {
    expect(changed(change)).toEqual([]);
  });
});

describe('what breaks clients is told of', () => {
  it.each<[string, Parameters<typeof changed>[0]]>([
    ['POST /contacts is gone', ({ paths }) => delete paths['/contacts']],
    ['POST /contacts is gone', ({ paths }) => delete paths['/contacts'].post],
    ['POST /contacts 201 is not answered any more', ({ post }) => delete post.responses[201]],
    ['POST /contacts ?dry is not taken any more', ({ post }) => (post.parameters = [])],
    ['POST /contacts ?dry is required now', ({ post }) => (post.parameters[0].required = true)],
    [
      'POST /contacts ?new is required now',
      ({ post }) => post.parameters.push({ name: 'new', in: 'header', required: true }),
    ],
    [
      'POST /contacts ?dry may not be boolean any more',
      ({ post }) => (post.parameters[0].schema.type = 'string'),
    ],
    ['POST /contacts takes no body any more', ({ post }) => delete post.requestBody],
    ['POST /contacts requires a body now', ({ post }) => (post.requestBody.required = true)],
    [
      'POST /contacts body is not application/json any more',
      ({ post }) => (post.requestBody.content = { 'text/csv': {} }),
    ],
    ['POST /contacts asks for another key', ({ post }) => post.security.push({ 'admin-key': [] })],
    [
      'POST /contacts 404 is not application/json any more',
      ({ shared }) => (shared.NotFound.content = { 'text/plain': {} }),
    ],
    ['Body.age is gone', ({ body }) => delete body.properties.age],
    ['Body.age is required now', ({ body }) => body.required.push('age')],
    ['Body.age may not be null any more', ({ body }) => (body.properties.age.type = 'integer')],
    ['Body.name has a maxLength of 50 now', ({ body }) => (body.properties.name.maxLength = 50)],
    ['Body.name has a minLength of 1 now', ({ body }) => (body.properties.name.minLength = 1)],
    ['Body.name must match ^A now', ({ body }) => (body.properties.name.pattern = '^A')],
    ['Body.name takes certain values only', ({ body }) => (body.properties.name.enum = ['Ada'])],
    ['Body.kind is never "robot" any more', ({ body }) => body.properties.kind.enum.pop()],
    ['Contact.name is gone', ({ contact }) => delete contact.properties.name],
    ['Contact.name may be missing now', ({ contact }) => contact.required.shift()],
    ['Contact.name may be null now', ({ contact }) => (contact.properties.name.type = ['string', 'null'])],
    ['Contact.kind is never "robot" any more', ({ contact }) => contact.properties.kind.enum.pop()],
    ['Contact.kind may be any value now', ({ contact }) => delete contact.properties.kind.enum],
    [
      'Contact.born_at is of the format date now',
      ({ contact }) => (contact.properties.born_at.format = 'date'),
    ],
    ['Contact.party is never alternative 1 any more', ({ contact }) => contact.properties.party.oneOf.pop()],
    ['Contact.party is never Contact any more', ({ contact }) => contact.properties.party.oneOf.shift()],
  ])('%s', (sentence, change) => {
    expect(changed(change)).toContain(sentence);
  });

  it('once, however often the schema is used', () => {
    expect(changed(({ contact }) => delete contact.properties.name)).toEqual(['Contact.name is gone']);
  });
});
