import { newContent } from './new-content.js';

const QUOTED = '> Do you have it\n>\n> in blue?';

describe('the new content of a mail', () => {
  it.each([
    ['Gmail', `Yes, please.\n\nOn Fri, Jan 2, 2026 at 3:04 AM Sales <sales@acme.example> wrote:\n${QUOTED}`],
    [
      'a long introduction, broken in two',
      `Yes, please.\n\nOn Fri, Jan 2, 2026 at 3:04 AM The Whole Sales Team\n<sales@acme.example> wrote:\n\n${QUOTED}\n`,
    ],
    ['a German program', `Yes, please.\n\nAm 02.01.26 um 03:04 schrieb Sales:\n${QUOTED}`],
    [
      'a French program',
      `Yes, please.\n\nLe 2 janv. 2026 à 03:04, Sales <s@acme.example> a écrit :\n${QUOTED}`,
    ],
    [
      'Outlook',
      'Yes, please.\n\n-----Original Message-----\nFrom: Sales\nSent: Friday\nTo: Grace\nSubject: Blue\n\nDo you have it?',
    ],
    [
      'Outlook without a line',
      'Yes, please.\n\nFrom: Sales <s@acme.example>\nSent: Friday\nTo: Grace\nSubject: Blue\n\nDo you have it?',
    ],
    [
      'Outlook on the web',
      `Yes, please.\n\n${'_'.repeat(32)}\nVon: Sales\nGesendet: Freitag\nAn: Grace\n\nDo you have it?`,
    ],
    ['bare quote marks', `Yes, please.\n\n${QUOTED}`],
    ['a signature below', `Yes, please.\n\n${QUOTED}\n\n-- \nGrace`],
  ])('is what stands above the history of %s', (_, text) => {
    expect(newContent(text)).toBe('Yes, please.');
  });

  it.each([
    ['quotes nothing', 'Yes, please.\n\nOn Friday we wrote: nothing.\nFrom: here'],
    ['is empty', ''],
    ['answers between the quoted lines', `${QUOTED}\n\nYes.\n\n> And in red?\n\nNo.`],
    ['answers below', `Hello,\n\n${QUOTED}\n\nYes, please.`],
    ['only quotes', QUOTED],
  ])('is none of a mail that %s', (_, text) => {
    expect(newContent(text)).toBeNull();
  });

  it.each([
    ['one long line', 'on '.repeat(300_000)],
    ['many headers', 'From: x\n'.repeat(100_000)],
    ['many introductions', 'On 2026 wrote\n'.repeat(60_000)],
    ['dashes', '-'.repeat(900_000)],
    ['white space', `${' '.repeat(900_000)}x`],
    ['empty lines', '\n'.repeat(900_000)],
    ['quote marks', '>'.repeat(900_000)],
  ])('is found in hostile text too: %s', (_, text) => {
    expect(newContent(text)).toBeNull();
  });
});
