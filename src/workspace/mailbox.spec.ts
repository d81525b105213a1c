import { mailboxesOf } from './mailbox.js';

describe('an address', () => {
  it.each([
    ['Sales@Acme.example', ['sales@acme.example']],
    ['sales+token@acme.example', ['sales+token@acme.example', 'sales@acme.example']],
    ['a+b+c@x.example', ['a+b+c@x.example', 'a+b@x.example', 'a@x.example']],
    ['Sales@BÜCHER.example', ['sales@xn--bcher-kva.example']],
    ['sales+x@xn--bcher-kva.example', ['sales+x@xn--bcher-kva.example', 'sales@xn--bcher-kva.example']],
  ])('%s leads to the mailboxes %j', (address, mailboxes) => expect(mailboxesOf(address)).toEqual(mailboxes));
});
