import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { FORM_ENCODED, pathOf, push, textChannel } from '../support/clients/doors.js';
import { expectProblem } from '../support/clients/expectations.js';
import { received } from '../support/data/records.js';
import { until } from '../support/until.js';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

describe('a body at a door that anybody may post to', () => {
  const KIB = 1024;
  const JSON_TYPE = { 'content-type': 'application/json' };

  it.each([
    ['form', () => emailChannel(workspace, 1), 256 * KIB, FORM_ENCODED],
    ['form', () => emailChannel(workspace, 1), 256 * KIB, JSON_TYPE],
    [
      'live_chat',
      () => workspace.adminApi.put('channels/live_chat', { provider: 'inbox' }).then(({ body }) => body),
      256 * KIB,
      JSON_TYPE,
    ],
    ['twilio', () => textChannel(workspace), 64 * KIB, FORM_ENCODED],
  ])('%s is read up to its limit, and is 413 beyond it', async (hook, channelOf, limit, headers) => {
    const path = pathOf(await channelOf(), hook);
    const posted = (raw: string) => push(workspace, path, { raw, headers });
    expect((await posted(' '.repeat(limit))).status).not.toBe(413);
    expectProblem(await posted(' '.repeat(limit + 1)), 413, 'body_too_large');
  });
});

describe('long HTML', () => {
  const long = (part: string) => part.repeat(Math.ceil(100_000 / part.length));

  const kept = async (body_html: string): Promise<string> => {
    const { api } = workspace;
    const { draft_id } = await ok(api.post('message-drafts', { modality: 'email', body_html }));
    return (await ok(api.get(`message-drafts/${draft_id}`))).body_html;
  };

  it('is made safe, one after the other and several at once', async () => {
    const restOf = async (nr: number): Promise<string> => {
      const body = await kept(`${long(`<p>${nr}</p>`)}<script>alert(1)</script><b onclick="x">end</b>`);
      return body.replace(long(`<p>${nr}</p>`), '');
    };
    expect([await restOf(1), await restOf(2), await restOf(3)]).toEqual(Array(3).fill('<b>end</b>'));
    expect(await Promise.all([4, 5, 6, 7].map(restOf))).toEqual(Array(4).fill('<b>end</b>'));
  });

  it.each(['{', 'a{', 'a:b;', '(', "'", 'url(', '/*', '\\'])(
    'whose style is full of %s keeps its text',
    async (part) => expect(await kept(`<p style="${long(part)}">Hello</p>`)).toContain('>Hello</p>'),
  );
});

describe('a search over long texts', () => {
  const TEXTS = 30;
  const LENGTH = 200_000;

  /** Follows the cursors from the first page to the last one. */
  async function pagesOf(q: string): Promise<Json[][]> {
    const pages: Json[][] = [];
    for (let cursor: string | null = null; pages.length === 0 || cursor !== null;) {
      const query: Record<string, string | number> = {
        q,
        types: 'message',
        limit: 200,
        ...(cursor && { cursor }),
      };
      const { data, pagination }: Json = await ok(workspace.api.get('search', query));
      expect(pagination.has_more).toBe(pagination.next_cursor !== null);
      pages.push(data);
      cursor = pagination.next_cursor;
    }
    return pages;
  }

  beforeAll(async () => {
    const contact = { name: 'Grace' };
    for (let nr = 0; nr < TEXTS; nr++)
      await ok(
        received(workspace.api, { contact, content: `first ${'a b '.repeat(LENGTH / 4)}`.slice(0, LENGTH) }),
      );
    await until(async () => (await pagesOf('first')).flat().length === TEXTS);
  });

  it.each([
    ['a word of which all are full', 'b'],
    ['a phrase that none has', '"b b"'],
    ['a word that all have, without one that none has', 'first -"b b"'],
  ])('for %s ends its pages early, and finds each text once', async (_, q) => {
    const pages = await pagesOf(q);
    expect(pages.length).toBeGreaterThan(1);
    const ids = pages.flat().map(({ id }) => id);
    expect(ids).toHaveLength(q === '"b b"' ? 0 : TEXTS);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
