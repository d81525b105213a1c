import { startSmtp, type TestSmtp } from '../../../test/support/stand-ins/smtp.js';
import type { Config } from '../../config/config.js';
import type { EmailChannel } from '../../workspace/workspace.contract.js';
import { SmtpSender } from './smtp.js';

const MAIL = {
  envelope: { from: 'sales@example.com', to: ['ann@example.com'] },
  raw: Buffer.from('Subject: Hello\r\n\r\nHello'),
};

let smtp: TestSmtp;
let sender: SmtpSender;
beforeEach(async () => {
  smtp = await startSmtp();
  sender = new SmtpSender({ deliveryTimeoutMs: 20_000 } as Config);
  // Longer than a busy machine takes from one mail to the next.
  sender.idleMs = 60_000;
});
afterEach(() => {
  sender.onApplicationShutdown();
  return smtp.close();
});

const send = () => sender.send({ host: '127.0.0.1', port: smtp.port, secure: false } as EmailChannel, MAIL);

describe('Connections to a mail server', () => {
  it('are used again: mails one after the other leave by one', async () => {
    for (let nr = 0; nr < 5; nr++) expect(await send()).toMatchObject({ kind: 'accepted' });
    expect([smtp.mails.length, smtp.connections()]).toEqual([5, 1]);
  });

  it('are as many as mails leave at a time, and all of them are used again', async () => {
    for (let round = 0; round < 3; round++) await Promise.all([send(), send(), send(), send()]);
    expect([smtp.mails.length, smtp.connections()]).toEqual([12, 4]);
  });

  it('are given up after a rest', async () => {
    sender.idleMs = 1;
    await send();
    await smtp.deserted();
    await send();
    expect([smtp.mails.length, smtp.connections()]).toEqual([2, 2]);
  });

  it('are not used again after a mail that was refused', async () => {
    smtp.respond.data = () => ({ code: 550 });
    expect(await send()).toMatchObject({ kind: 'permanent' });
    smtp.respond.data = () => undefined;
    expect(await send()).toMatchObject({ kind: 'accepted' });
    expect(smtp.connections()).toBe(2);
  });
});
