import { Injectable } from '@nestjs/common';
import { systemContext } from '#kernel/context.js';
import { RuleViolation } from '#kernel/decider.js';
import { isBlank } from '#kernel/unseen.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { readInput } from '#http/input/input.js';
import { Problem } from '#http/problems/problem.js';
import { Directory } from '../workspace/workspace.contract.js';
import { contact, personLock } from './contact.js';
import { bodyOf, type Column, columnsOf } from './contact-columns.js';
import { employerOf, newContact, type NewContact } from './create-contact.js';
import { CreateContactBody } from './crm.dto.js';
import { contacts } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';
import { emailKey } from './identities.js';
import { type CsvRow, parseCsv, readText } from './csv.js';

/** Contacts in a transaction. Each takes up to three locks, and all of PostgreSQL shares the room for locks. */
const BATCH = 500;

export interface ContactImport {
  organizationId: string;
  /** Separated text with a header. */
  bytes: Buffer;
  /** The field of a column, by header, where the header does not say. */
  mapping: ReadonlyMap<string, string>;
  /** Import the correct rows even when others are wrong. */
  skipErrors: boolean;
  onProgress: (rows: number) => void;
}

export interface ImportedContacts {
  created: number;
  /** Rows with an address or number that a contact has already; for rows with only a name, with that name. */
  existing: number;
  errors: { line: number; detail: string }[];
}

/** Imports a table of contacts. When a row is wrong, none is imported. A second run changes nothing. */
@Injectable()
export class ImportContacts {
  constructor(
    private readonly store: EventStore,
    private readonly queries: CrmQueries,
    private readonly directory: Directory,
  ) {}

  async run({
    organizationId,
    bytes,
    mapping,
    skipErrors,
    onProgress,
  }: ContactImport): Promise<ImportedContacts> {
    const [header, ...rows] = parseCsv(readText(bytes));
    const definitions = (await this.directory.customFields(organizationId)).contacts;
    const titles = header?.cells ?? [];
    const columns = columnsOf(titles, mapping, definitions);
    const result: ImportedContacts = { created: 0, existing: 0, errors: [] };
    const valid: NewContact[] = [];
    for (const row of rows)
      await this.read(organizationId, titles, columns, row).then(
        (one) => valid.push(one),
        (error: unknown) => result.errors.push({ line: row.line, detail: reasonOf(error) }),
      );
    if (result.errors.length > 0 && !skipErrors) return result;
    for (let at = 0; at < valid.length; at += BATCH) {
      const batch = valid.slice(at, at + BATCH);
      const created = await this.create(organizationId, batch);
      result.created += created;
      result.existing += batch.length - created;
      onProgress(at + batch.length);
    }
    return result;
  }

  private async read(
    organizationId: string,
    titles: string[],
    columns: Column[],
    row: CsvRow,
  ): Promise<NewContact> {
    if (!row.cells.slice(columns.length).every(isBlank))
      throw new RuleViolation(
        'validation_failed',
        `it has ${row.cells.length} cells, and the header ${columns.length}`,
      );
    const untitled = titles.findIndex((title, nr) => isBlank(title) && !isBlank(row.cells[nr] ?? ''));
    if (untitled !== -1)
      throw new RuleViolation('validation_failed', `column ${untitled + 1} has a value, and no title`);
    const body = readInput(CreateContactBody, bodyOf(columns, row.cells));
    const company_id = body.company_id ?? null;
    if (company_id !== null && !(await this.queries.company(organizationId, company_id)))
      throw new RuleViolation('validation_failed', `there is no company ${company_id}`, 'company_id');
    const command = await newContact(this.queries, this.directory, organizationId, body);
    contact.decide(null, command);
    return command;
  }

  /** Creates the missing contacts in one transaction; gives how many. */
  private create(organizationId: string, batch: NewContact[]): Promise<number> {
    const locks = [...new Set(batch.flatMap(locksOf))];
    return this.store.exclusively(organizationId, locks, async (tx) => {
      const taken = new Set(
        (await this.queries.contactsAmong(tx, organizationId, batch.map(withKeys))).flatMap(identitiesOf),
      );
      const missing = batch.filter((one) => {
        const own = identitiesOf(one);
        if (own.some((key) => taken.has(key))) return false;
        for (const key of own) taken.add(key);
        return true;
      });
      const appends = missing.map((one) =>
        appendTo(contacts, one.contact_id, NEW, contact.decide(null, one), employerOf(one)),
      );
      if (appends.length > 0) await this.store.appendIn(tx, systemContext(organizationId), appends);
      return missing.length;
    });
  }
}

type Identity = Pick<NewContact, 'name' | 'email' | 'phone_key'>;

const withKeys = ({ name, email, phone_key }: Identity) => ({
  name,
  email_key: emailKey(email),
  phone_key,
});

/** Whoever records a message from one of these contacts takes the same locks. */
const locksOf = ({ email, phone_key }: Identity): string[] =>
  [emailKey(email), phone_key].filter((key) => key !== null).map(personLock);

/** Words that identify a contact: those of its address and number, or else its name. */
function identitiesOf(one: Identity): string[] {
  const locks = locksOf(one);
  return locks.length > 0 ? locks : [`name:${one.name}`];
}

function reasonOf(error: unknown): string {
  if (error instanceof Problem) return error.detail;
  if (error instanceof RuleViolation) return error.field ? `${error.field}: ${error.message}` : error.message;
  throw error;
}
