import { newId } from '#kernel/id.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

const links = new UnsubscribeLinks(Buffer.alloc(32, 1));
const said = { organizationId: newId('org'), email: 'jörn@büyer.example' };

describe('the token of an unsubscribe link', () => {
  it('says what it was made for', () => expect(links.read(links.tokenFor(said))).toEqual(said));

  it('is made of characters that need no escape in a URL', () =>
    expect(links.tokenFor(said)).toMatch(/^[\w.-]+$/));

  it.each([
    ['of another key', new UnsubscribeLinks(Buffer.alloc(32, 2)).tokenFor(said)],
    ['with another address', forged()],
    ['cut short', links.tokenFor(said).slice(0, -1)],
    ['that is none', 'token'],
    ['that is empty', ''],
  ])('says nothing when it is one %s', (_, token) => expect(links.read(token)).toBeNull());
});

function forged(): string {
  const [, signature] = links.tokenFor(said).split('.');
  const other = Buffer.from(`${said.organizationId}\nann@x.example`).toString('base64url');
  return `${other}.${signature}`;
}
