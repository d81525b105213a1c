import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { startInbox } from './inbox.js';

let parent: string;
beforeEach(() => (parent = mkdtempSync(join(tmpdir(), 'parley-inbox-'))));
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the inbox of the demo', () => {
  it.each([
    ['that it makes', () => {}],
    [
      'that others could read',
      (directory: string) => {
        mkdirSync(directory);
        chmodSync(directory, 0o755);
      },
    ],
  ])('keeps mails for the owner of the service alone, in a directory %s', async (_, prepare) => {
    const directory = join(parent, 'inbox');
    prepare(directory);
    const inbox = await startInbox(directory, 0);
    const transport = createTransport({ host: '127.0.0.1', port: inbox.port });
    await transport.sendMail({ from: 'a@x.example', to: 'b@x.example', text: 'Yes, in blue.' });
    transport.close();
    await inbox.close();
    const [mail, ...others] = readdirSync(directory);
    expect(others).toEqual([]);
    expect([modeOf(directory), modeOf(join(directory, mail!))]).toEqual([0o700, 0o600]);
  });
});
