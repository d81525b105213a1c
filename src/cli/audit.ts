import type { Command } from 'commander';
import { Option } from 'commander';
import { readInput } from '#http/input/input.js';
import { now, plusSeconds } from '#kernel/instant.js';
import {
  ALL,
  AuditQueries,
  ListAllAuditLogsQuery,
  type AdminAuditLogResponse,
} from '../audit/audit.contract.js';
import { auditLine } from './audit-lines.js';
import { withService } from './with-service.js';

const DEFAULT_LIMIT = 100;
const LARGEST_PAGE = 200;

/** Options that name the record, each with what it is. */
const RECORDS = ['sale', 'contact', 'company', 'task', 'conversation', 'draft'] as const;

type Options = Partial<Record<(typeof RECORDS)[number], string>> & {
  organization?: string;
  type?: string;
  action?: string;
  actorType?: string;
  agent?: string;
  key?: string;
  request?: string;
  field?: string;
  since?: string;
  until?: string;
  limit: string;
};

/** `audit`: who changed what, in lines. */
export function auditCommand(program: Command): void {
  const command = program
    .command('audit')
    .description('say who changed what: the latest changes, the oldest of them first');
  for (const record of RECORDS)
    command.addOption(
      new Option(`--${record} <id>`, `only of this ${record}`).conflicts(
        RECORDS.filter((other) => other !== record),
      ),
    );
  command
    .option('--organization <organization_id>', 'only in this organization; all when left out')
    .option('--type <types>', 'only of such records, such as sale,task; of every kind when left out')
    .option('--action <actions>', 'only insert, update or delete; several with commas')
    .option('--field <field>', 'only where this field changed, such as current_status')
    .option('--agent <agent_id>', 'only by this agent')
    .option('--key <key_id>', 'only with this key, by whichever agent')
    .option('--actor-type <types>', 'only by agent, key, operator, provider or system; several with commas')
    .option('--request <request_id>', 'only what this request did')
    .option('--since <time>', 'from then on: an instant, or how long ago, such as 30m, 24h, 7d or 2w')
    .option('--until <time>', 'before then, written in the same way')
    .option('--limit <number>', 'how many changes at most', String(DEFAULT_LIMIT))
    .action((options: Options) =>
      withService(async ({ app }) => {
        const limit = limitIn(options.limit);
        const { records, hasMore } = await latest(app.get(AuditQueries), queryOf(options), limit);
        for (const { organization_id, ...record } of records.reverse())
          console.log(
            auditLine({ ...record, ...(options.organization === undefined && { organization_id }) }),
          );
        if (records.length === 0) console.error('There is no such change.');
        if (hasMore) console.error(`There are more than these ${limit}; --limit shows more.`);
      }),
    );
}

function queryOf(options: Options): Record<string, string> {
  const record = RECORDS.map((name) => options[name]).find((id) => id !== undefined);
  const { since, until } = options;
  const given = {
    organization_id: options.organization,
    record_id: record,
    record_type: options.type ?? ALL,
    action_type: options.action,
    actor_type: options.actorType,
    agent_id: options.agent,
    key_id: options.key,
    request_id: options.request,
    field: options.field,
    start_date: since && timeIn(since),
    end_date: until && timeIn(until),
  };
  return Object.fromEntries(
    Object.entries(given).filter((one): one is [string, string] => one[1] !== undefined),
  );
}

/** The latest records, newest first, and whether there are more. */
async function latest(
  audit: AuditQueries,
  query: Record<string, string>,
  limit: number,
): Promise<{ records: AdminAuditLogResponse[]; hasMore: boolean }> {
  const records: AdminAuditLogResponse[] = [];
  for (let cursor: string | null | undefined; ;) {
    const rest = String(Math.min(limit - records.length, LARGEST_PAGE));
    const asked = { ...query, limit: rest, ...(cursor != null && { cursor }) };
    const { data, pagination } = await audit.listAll(
      readInput(ListAllAuditLogsQuery, asked, { what: 'option' }),
    );
    records.push(...data);
    cursor = pagination.next_cursor;
    if (cursor === null || records.length >= limit) return { records, hasMore: cursor !== null };
  }
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 7 * 86_400 };

/** An instant as it is, or one so long ago. */
function timeIn(text: string): string {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  return count === undefined ? text : plusSeconds(now(), -Number(count) * SECONDS[unit!]!);
}

function limitIn(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error('--limit: it must be a whole number from 1 to 999999.');
}
