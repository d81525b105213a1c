import { embeddedIn, withEmbedded } from './embedded-images.js';

const image = (address: string) => `<p>Look: <img src="${address}"></p>`;
const urls = new Map([
  ['img1', 'data:1'],
  ['img10', 'data:10'],
  ['a&b@acme', 'data:amp'],
  ['50%25@acme', 'data:percent'],
  ["it's (1)@acme", 'data:signs'],
]);

describe('Images that came with a mail', () => {
  it.each([
    ['cid:img1', 'img1', 'data:1'],
    ['cid:img10', 'img10', 'data:10'],
    ['CID:img1', 'img1', 'data:1'],
    ['Cid:img10', 'img10', 'data:10'],
    ['cid:a&amp;b@acme', 'a&b@acme', 'data:amp'],
    ['cid:a&b@acme', 'a&b@acme', 'data:amp'],
    ['cid:a%26b%40acme', 'a&b@acme', 'data:amp'],
    ['cid:a&#38;b&#64;acme', 'a&b@acme', 'data:amp'],
    ['cid:50%2525@acme', '50%25@acme', 'data:percent'],
    ['cid:50%25@acme', '50%25@acme', 'data:percent'],
    ["cid:it's (1)@acme", "it's (1)@acme", 'data:signs'],
    [' cid:img1 ', 'img1', ' data:1'],
    ['cid:100%', '100%', 'cid:100%'],
    ['cid:img', 'img', 'cid:img'],
  ])('are shown where %s is', (address, id, url) => {
    expect([...embeddedIn(image(address))]).toContain(id);
    expect(withEmbedded(image(address), urls)).toBe(image(url));
  });

  it('are shown each by itself, in attributes and styles', () => {
    const html = `<img src='cid:img1'><img src=cid:img10><p style="background: url(cid:img1), url(&quot;cid:img10&quot;)">`;
    expect(withEmbedded(html, urls)).toBe(
      `<img src='data:1'><img src=data:10><p style="background: url(data:1), url(&quot;data:10&quot;)">`,
    );
  });

  it('are not looked for in words', () => expect(embeddedIn('<p>Placid:img1 cid:img1</p>').size).toBe(0));
});
