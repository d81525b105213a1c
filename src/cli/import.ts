import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { withOrganization } from './with-service.js';
import { ImportMbox } from '../conversations/conversations.contract.js';
import { ImportContacts } from '../crm/crm.contract.js';

/** `import mbox|contacts`: takes in data of another system. */
export function importCommands(program: Command): void {
  const imports = program.command('import').description('take in what another system has');

  imports
    .command('mbox <file>')
    .description('record the mails of an mbox; run it again and none is recorded twice')
    .requiredOption('--organization <organization_id>', 'the organization')
    .option('--own <addresses...>', "addresses whose mails were sent, beside the channel's own", [])
    .action((file: string, options: { organization: string; own: string[] }) =>
      withOrganization(options.organization, async ({ app }) => {
        // Opened first: if opening the stream failed later, nobody would be listening.
        const mbox = await open(file);
        const { errors, ...done } = await app.get(ImportMbox).run({
          organizationId: options.organization,
          chunks: mbox.createReadStream(),
          own: options.own,
          onProgress: ({ mails }) => process.stderr.write(`\r${mails} mails`),
        });
        for (const { mail, detail } of errors) console.error(`mail ${mail}: ${detail}`);
        console.log(JSON.stringify({ ...done, errors: errors.length }));
        if (errors.length > 0) process.exitCode = 1;
      }),
    );

  imports
    .command('contacts <file>')
    .description('create the contacts of a CSV file that are not there; none when a row is wrong')
    .requiredOption('--organization <organization_id>', 'the organization')
    .option(
      '--map <columns...>',
      'what a column is: Header=field, Header=custom_fields.key, or Header=- to leave it out',
      [],
    )
    .option('--skip-errors', 'take the other rows in when some are wrong', false)
    .action((file: string, options: { organization: string; map: string[]; skipErrors: boolean }) =>
      withOrganization(options.organization, async ({ app }) => {
        const { errors, ...done } = await app.get(ImportContacts).run({
          organizationId: options.organization,
          bytes: readFileSync(file),
          mapping: new Map(options.map.map(splitMapping)),
          skipErrors: options.skipErrors,
          onProgress: (rows) => process.stderr.write(`\r${rows} rows`),
        });
        for (const { line, detail } of errors) console.error(`line ${line}: ${detail}`);
        console.log(JSON.stringify({ ...done, errors: errors.length }));
        if (errors.length > 0) process.exitCode = 1;
      }),
    );
}

/** `Header=field`; the header may hold `=`. */
function splitMapping(text: string): [header: string, field: string] {
  const at = text.lastIndexOf('=');
  if (at <= 0) throw new Error(`--map: ${text} is not Header=field.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
